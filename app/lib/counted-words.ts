import { formatCount } from '#app/lib/format-count.ts';
import { pluralize } from '#app/lib/pluralize.ts';
import type { ShownCount } from '#server/screens/inbox/views.ts';

/** `1 contact`, `12 contacts`, `999+ contacts`. */
export function countedWords(counted: ShownCount, one: string): string {
  return counted.more ? `${formatCount(counted)} ${one}s` : pluralize(counted.count, one);
}
