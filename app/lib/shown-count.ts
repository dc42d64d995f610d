import type { ShownCount } from '#server/conversations/views.ts';

/** `12`; `999+` when there are more. */
export function shownCount({ count, more }: ShownCount): string {
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}
