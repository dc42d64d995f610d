import { tagKey } from '#server/screens/inbox/tag-key.ts';

const SUGGESTIONS_MAX = 8;

/**
 * Returns known tags that match the text after the last comma, without the conversation's tags: prefix matches first,
 * then substring matches. Empty text matches all.
 */
export function suggestTags(
  known: string[],
  { typed, present }: { typed: string; present: string[] },
): string[] {
  const part = tagKey((typed.split(',').at(-1) ?? '').trim());
  const excluded = new Set(present.map(tagKey));
  const matches = known.filter((tag) => tagKey(tag).includes(part) && !excluded.has(tagKey(tag)));
  const isPrefixMatch = (tag: string) => tagKey(tag).startsWith(part);
  return [...matches.filter(isPrefixMatch), ...matches.filter((tag) => !isPrefixMatch(tag))].slice(
    0,
    SUGGESTIONS_MAX,
  );
}
