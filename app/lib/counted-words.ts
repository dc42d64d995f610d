import { countOf } from '#app/lib/count-of.ts';
import { shownCount } from '#app/lib/shown-count.ts';
import type { ShownCount } from '#server/conversations/views.ts';

/** `1 contact`, `12 contacts`, `999+ contacts`. */
export function countedWords(counted: ShownCount, one: string): string {
  return counted.more ? `${shownCount(counted)} ${one}s` : countOf(counted.count, one);
}
