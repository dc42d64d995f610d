import type { ListenedCommands } from '#server/screens/inbox/composer-views.ts';

/** The token at the caret that could be completed. Offsets are UTF-16 units, like those of text areas. */
export type TypedToken = {
  trigger: '@' | '/';
  /** The text between the trigger character and the caret. */
  query: string;
  /** Start of the replaced range, which includes the trigger character. */
  start: number;
  end: number;
};

/** Maximum length of a mention: longer than names and hand-typed email addresses. */
const MENTION_MAX = 60;
/** Matches a word character before an `@`, as in an email address. */
const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
/** The text between a `/` and the caret that can find a saved reply. */
const SAVED_QUERY = /^[\p{L}\p{N}_-]{0,40}$/u;
const COMMAND = /^\/([a-z0-9_-]{0,48})(?=\s|$)/i;

/** Returns the mention at the caret: an `@` at the start of a word, on one line. */
export function mentionAt(text: string, caret: number): TypedToken | null {
  const from = Math.max(0, caret - MENTION_MAX - 1);
  for (let at = lastAt(text, caret); at >= from; at = lastAt(text, at)) {
    const query = text.slice(at + 1, caret);
    if (query.includes('\n')) return null;
    // A space after the `@` rules out a mention.
    if (!WORD_BEFORE.test(text.slice(0, at))) return /^\s/.test(query) ? null : token('@', query, at, caret);
  }
  return null;
}

/** Returns the command at the caret: `/` at the very start of the text, with the caret in the first word. */
export function commandAt(text: string, caret: number): TypedToken | null {
  const [typed] = COMMAND.exec(text) ?? [];
  if (typed === undefined || caret < 1 || caret > typed.length) return null;
  return token('/', text.slice(1, caret), 0, typed.length);
}

/** Returns the query for a saved reply at the caret: a `/` at the start of a word. */
export function savedReplyAt(text: string, caret: number): TypedToken | null {
  const at = caret === 0 ? -1 : text.lastIndexOf('/', caret - 1);
  const query = text.slice(at + 1, caret);
  const isWordStart = at === 0 || /\s/.test(text.charAt(at - 1));
  return at >= 0 && isWordStart && SAVED_QUERY.test(query) ? token('/', query, at, caret) : null;
}

/** Returns the text with the token replaced, and the caret after the completion and `after`, by default one space. */
export function completeToken(
  text: string,
  { start, end }: TypedToken,
  completion: string,
  after = ' ',
): { text: string; caret: number } {
  const rest = text.slice(end);
  const space = /^\s/.test(rest) ? '' : after;
  const before = `${text.slice(0, start)}${completion}`;
  return { text: `${before}${space}${rest}`, caret: before.length + after.length };
}

/** Parses a complete text as a command with details, or returns null. */
export function readCommand(text: string): { command: string; details: string } | null {
  const found = /^\/([a-z0-9][a-z0-9_-]{0,47})(?:\s([\s\S]*))?$/i.exec(text.trimEnd());
  return found?.[1] ? { command: found[1].toLowerCase(), details: (found[2] ?? '').trim() } : null;
}

/** Returns whether any workflow listens for commands. */
export function listensForCommands({ commands, any }: ListenedCommands): boolean {
  return commands.length > 0 || any !== null;
}

/** Returns whether a workflow listens for this command. */
export function listensFor({ commands, any }: ListenedCommands, name: string): boolean {
  return any !== null || commands.some((command) => command.name === name);
}

/**
 * Returns whether a text starts like a command and so is never sent to a contact. A leading space makes it plain
 * text.
 */
export function startsWithCommand(text: string): boolean {
  return /^\/[\p{L}\p{N}]/u.test(text);
}

function token(trigger: TypedToken['trigger'], query: string, start: number, end: number): TypedToken {
  return { trigger, query, start, end };
}

/** Returns the index of the last `@` before an offset, or -1. */
function lastAt(text: string, before: number): number {
  return before === 0 ? -1 : text.lastIndexOf('@', before - 1);
}
