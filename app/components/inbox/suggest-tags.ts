import { distance } from 'fastest-levenshtein';
import { tagKey } from '#server/screens/inbox/tag-key.ts';

const SUGGESTIONS_MAX = 8;

/**
 * Returns known tags that match the text after the last comma, without the conversation's tags: prefix matches first,
 * then substring matches. Empty text matches all. Without a match, the text may be a typo: returns tags that differ from it in
 * one or two characters, the closest first.
 */
export function suggestTags(
  known: string[],
  { typed, present }: { typed: string; present: string[] },
): string[] {
  const part = tagKey((typed.split(',').at(-1) ?? '').trim());
  const excluded = new Set(present.map(tagKey));
  const others = known.filter((tag) => !excluded.has(tagKey(tag)));
  const matches = others.filter((tag) => tagKey(tag).includes(part));
  if (matches.length === 0) return findSimilar(others, part);
  const isPrefixMatch = (tag: string) => tagKey(tag).startsWith(part);
  return [...matches.filter(isPrefixMatch), ...matches.filter((tag) => !isPrefixMatch(tag))].slice(
    0,
    SUGGESTIONS_MAX,
  );
}

/** Returns the tags that differ in one character from a text of at least 3, or in two from one of at least 6. */
function findSimilar(tags: string[], text: string): string[] {
  const differencesMax = text.length < 3 ? 0 : text.length < 6 ? 1 : 2;
  return tags
    .map((tag) => ({ tag, differences: distance(tagKey(tag), text) }))
    .filter(({ differences }) => differences <= differencesMax)
    .sort((one, other) => one.differences - other.differences)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ tag }) => tag);
}
