const SUGGESTIONS_MAX = 8;

/**
 * Returns known tags that match the text after the last comma, without the conversation's tags: prefix matches first,
 * then substring matches. Empty text matches all.
 */
export function suggestTags(
  known: string[],
  { typed, present }: { typed: string; present: string[] },
): string[] {
  const part = (typed.split(',').at(-1) ?? '').trim().toLowerCase();
  const excluded = new Set(present.map((tag) => tag.toLowerCase()));
  const matches = known.filter((tag) => tag.toLowerCase().includes(part) && !excluded.has(tag.toLowerCase()));
  const isPrefixMatch = (tag: string) => tag.toLowerCase().startsWith(part);
  return [...matches.filter(isPrefixMatch), ...matches.filter((tag) => !isPrefixMatch(tag))].slice(
    0,
    SUGGESTIONS_MAX,
  );
}
