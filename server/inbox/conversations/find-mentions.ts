import type { Teammate } from '#server/contract/record-schemas.ts';

/** An `@` that begins a word: within one it belongs to an email address. */
const AT = /(?<![\p{L}\p{N}_])@/gu;
/** What may not follow a name directly: then it is part of a longer one. */
const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** What a teammate may be called after an `@`. */
type Handle = { text: string; teammate: Teammate };

/**
 * The teammates whom a text mentions as `@name` or `@email`, without regard to case; of several that fit at one
 * place the longest wins, and two of the same name are both meant (decisions: conversations and contacts, 10).
 */
export function findMentions(text: string, teammates: Teammate[]): Teammate[] {
  const folded = fold(text);
  // By their first letter, so that a text of many `@` does not look at every teammate for each.
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

/** Without regard to case, and to how accents are written. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function matchesAt(text: string, start: number, handle: Handle): boolean {
  if (!text.startsWith(handle.text, start)) return false;
  const next = text.codePointAt(start + handle.text.length);
  return next === undefined || !WORD.test(String.fromCodePoint(next));
}
