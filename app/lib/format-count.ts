import type { ShownCount } from '#server/screens/inbox/views.ts';

/** `12`; `999+` when there are more; nothing while none is known but there may be some. */
export function formatCount({ count, more }: ShownCount): string {
  if (more && count === 0) return '';
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}

/** `1 workflow`, `3 workflows`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
}

/** `1 contact`, `12 contacts`, `999+ contacts`. */
export function countedWords(counted: ShownCount, one: string): string {
  return counted.more ? `${formatCount(counted)} ${one}s` : pluralize(counted.count, one);
}
