/** More than a name may have, so that one that is cut is none either. */
const CUT_AT = 100;
const COMMAND = /^[a-z0-9][a-z0-9_-]{0,47}$/;

/** What `normalizeCommand` turns into a command name or nothing, as a pattern for the API's document. */
export const COMMAND_PATTERN = '^\\s*/?([A-Za-z0-9][A-Za-z0-9_-]{0,47})?\\s*$';

/** A command name as it is stored and compared: without a leading `/`, in lowercase (spec.md §1). */
export function normalizeCommand(text: string): string {
  return text.trim().slice(0, CUT_AT).replace(/^\//, '').toLowerCase();
}

/** What is wrong with a text that is no command name, as a sentence. */
export const COMMAND_NAME_PROBLEM =
  'The command must start with a letter or digit, hold only letters, digits, - and _, and be at most 48 characters.';

/** Whether a normalized text is a command name: letters, digits, `-`, `_`, at most 48 characters. */
export function isCommandName(text: string): boolean {
  return COMMAND.test(text);
}
