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
  const part = (typed.split(',').at(-1) ?? '').trim().toLowerCase();
  const taken = new Set(present.map((tag) => tag.toLowerCase()));
  const fitting = known.filter((tag) => tag.toLowerCase().includes(part) && !taken.has(tag.toLowerCase()));
  const begins = (tag: string) => tag.toLowerCase().startsWith(part);
  return [...fitting.filter(begins), ...fitting.filter((tag) => !begins(tag))].slice(0, OFFERED_MAX);
}
