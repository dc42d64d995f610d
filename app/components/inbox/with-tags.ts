import { tagKey } from '#server/screens/inbox/tag-key.ts';

/** Returns tags with added ones. Of equal tags, the first one stays. */
export function withTags(tags: string[], added: string[]): string[] {
  const all = new Map<string, string>();
  for (const tag of [...tags, ...added]) if (!all.has(tagKey(tag))) all.set(tagKey(tag), tag);
  return [...all.values()];
}
