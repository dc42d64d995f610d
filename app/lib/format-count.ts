import type { ShownCount } from '#server/screens/inbox/views.ts';

/** Returns `12`, `999+` for a lower bound, or an empty string for a lower bound of zero. */
export function formatCount({ count, more }: ShownCount): string {
  if (more && count === 0) return '';
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}

/** Returns `1 workflow` or `3 workflows`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
}

/** Returns `1 contact`, `12 contacts` or `999+ contacts`. */
export function countedWords(counted: ShownCount, one: string): string {
  return counted.more ? `${formatCount(counted)} ${one}s` : pluralize(counted.count, one);
}
