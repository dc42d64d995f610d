/** What is being typed at the caret and could be completed. Offsets count as text boxes do, in UTF-16 units. */
export type TypedToken = {
  sign: '@' | '/';
  /** The text between the sign and the caret. */
  query: string;
  /** What a completion replaces: from the sign on. */
  start: number;
  end: number;
};

/** Longer than a name, or an email address that somebody types by hand. */
const MENTION_MAX = 60;
/** What may precede an `@`: else it is within a word, as in an email address. */
const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
/** A command that is typed, and what ends it. */
const COMMAND = /^\/([a-z0-9_-]{0,48})(?=\s|$)/i;

/** A mention that is being typed: from an `@` that begins a word to the caret, on one line. */
export function mentionAt(text: string, caret: number): TypedToken | null {
  const from = Math.max(0, caret - MENTION_MAX - 1);
  for (let at = lastAt(text, caret); at >= from; at = lastAt(text, at)) {
    const query = text.slice(at + 1, caret);
    if (query.includes('\n')) return null;
    // A space after the sign: it was not meant as a mention.
    if (!WORD_BEFORE.test(text.slice(0, at))) return /^\s/.test(query) ? null : token('@', query, at, caret);
  }
  return null;
}

/** A command that is being typed: a `/` at the very start of the text, and the caret within the first word. */
export function commandAt(text: string, caret: number): TypedToken | null {
  const [typed] = COMMAND.exec(text) ?? [];
  if (typed === undefined || caret < 1 || caret > typed.length) return null;
  return token('/', text.slice(1, caret), 0, typed.length);
}

/** The text with a token completed, and the caret's new place: behind the token and one space. */
export function completeToken(
  text: string,
  { start, end }: TypedToken,
  completion: string,
): { text: string; caret: number } {
  const rest = text.slice(end);
  const space = /^\s/.test(rest) ? '' : ' ';
  const before = `${text.slice(0, start)}${completion}`;
  return { text: `${before}${space}${rest}`, caret: before.length + 1 };
}

/** A command and its details, of a text that is one as a whole; null when it is none. */
export function readCommand(text: string): { command: string; details: string } | null {
  const found = /^\/([a-z0-9][a-z0-9_-]{0,47})(?:\s([\s\S]*))?$/i.exec(text.trimEnd());
  return found?.[1] ? { command: found[1].toLowerCase(), details: (found[2] ?? '').trim() } : null;
}

/** Whether a text is a command by its beginning, and so never goes to a contact; a space in front makes it text. */
export function beginsAsCommand(text: string): boolean {
  return /^\/[\p{L}\p{N}]/u.test(text);
}

function token(sign: TypedToken['sign'], query: string, start: number, end: number): TypedToken {
  return { sign, query, start, end };
}

/** The `@` before a place of the text; -1 when there is none. */
function lastAt(text: string, before: number): number {
  return before === 0 ? -1 : text.lastIndexOf('@', before - 1);
}
