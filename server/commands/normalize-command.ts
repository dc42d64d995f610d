const COMMAND = /^[a-z0-9][a-z0-9_-]{0,47}$/;

/** A command name as it is stored and compared: without a leading `/`, in lowercase (spec.md §1). */
export function normalizeCommand(text: string): string {
  return text.trim().replace(/^\//, '').toLowerCase();
}

/** Whether a normalized text is a command name: letters, digits, `-`, `_`, at most 48 characters. */
export function isCommandName(text: string): boolean {
  return COMMAND.test(text);
}
