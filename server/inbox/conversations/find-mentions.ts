import type { Teammate } from '#server/contract/record-schemas.ts';

/** An `@` at the start of a word. Inside a word, `@` is part of an email address. */
const AT = /(?<![\p{L}\p{N}_])@/gu;
/** A character that continues a word. A name followed by one is part of a longer name. */
const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** A name or email address that mentions a teammate after an `@`. */
type Handle = { text: string; teammate: Teammate };

/**
 * Returns the teammates that a text mentions as `@name` or `@email`, ignoring case. The longest match wins, and all
 * teammates of that name are mentioned (docs/rulings.md 3.10).
 */
export function findMentions(text: string, teammates: Teammate[]): Teammate[] {
  const folded = fold(text);
  // Indexed by first letter: a text full of `@` must not compare each one with every teammate.
  const handles = Map.groupBy(handlesOf(teammates), (handle) => handle.text[0]);
  const mentioned = new Set<Teammate>();
  for (const { index } of folded.matchAll(AT)) {
    const start = index + 1;
    const fitting = (handles.get(folded[start]) ?? []).filter((handle) => matchesAt(folded, start, handle));
    const longest = Math.max(...fitting.map((handle) => handle.text.length));
    for (const handle of fitting) if (handle.text.length === longest) mentioned.add(handle.teammate);
  }
  return [...mentioned];
}

function handlesOf(teammates: Teammate[]): Handle[] {
  return teammates
    .flatMap((teammate) =>
      [teammate.name, teammate.email].map((text) => ({ text: fold(text).trim(), teammate })),
    )
    .filter(({ text }) => text !== '');
}

/** Normalizes case and the encoding of accents. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function matchesAt(text: string, start: number, handle: Handle): boolean {
  if (!text.startsWith(handle.text, start)) return false;
  const next = text.codePointAt(start + handle.text.length);
  return next === undefined || !WORD.test(String.fromCodePoint(next));
}
