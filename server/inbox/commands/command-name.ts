/** More than the maximum length of a name, so a truncated text is still an invalid name. */
const CUT_AT = 100;
const COMMAND = /^[a-z0-9][a-z0-9_-]{0,47}$/;

/** Pattern of the API document: text that `normalizeCommand` turns into a command name, or into nothing. */
export const COMMAND_PATTERN = '^\\s*/?([A-Za-z0-9][A-Za-z0-9_-]{0,47})?\\s*$';

/** Returns a command name as it is stored and compared: trimmed, lowercase, no leading `/` (`docs/spec.md` §1). */
export function normalizeCommand(text: string): string {
  return text.trim().slice(0, CUT_AT).replace(/^\//, '').toLowerCase();
}

/** Message for an invalid command name. */
export const COMMAND_NAME_PROBLEM =
  'The command must start with a letter or digit, contain only letters, digits, - and _, and be at most 48 characters.';

/** Returns true for a valid normalized name: letters, digits, `-`, `_`, at most 48 characters. */
export function isCommandName(text: string): boolean {
  return COMMAND.test(text);
}
