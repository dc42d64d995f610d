/** So many are offered at once. */
const OFFERED_MAX = 8;

/**
 * Of the tags in use those that fit what is being typed (the part after the last comma), without those that the
 * conversation has: first those that begin with it, then those that hold it. Nothing typed fits all.
 */
export function suggestTags(
  known: string[],
  { typed, present }: { typed: string; present: string[] },
): string[] {
  const part = keyOf((typed.split(',').at(-1) ?? '').trim());
  const taken = new Set(present.map(keyOf));
  const fitting = known.filter((tag) => keyOf(tag).includes(part) && !taken.has(keyOf(tag)));
  const begins = (tag: string) => keyOf(tag).startsWith(part);
  return [...fitting.filter(begins), ...fitting.filter((tag) => !begins(tag))].slice(0, OFFERED_MAX);
}

/** Returns what the service compares tags by. */
function keyOf(tag: string): string {
  return tag.toLowerCase().normalize('NFC');
}
