import type { ShownCount } from '#server/screens/inbox/views.ts';

/** `12`; `999+` when there are more; nothing while none is known but there may be some. */
export function formatCount({ count, more }: ShownCount): string {
  if (more && count === 0) return '';
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}
