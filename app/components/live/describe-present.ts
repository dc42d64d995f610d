import type { Present } from '#app/components/live/presence.ts';

/** Maximum number of names in a sentence. */
const NAMED_MAX = 3;

const list = new Intl.ListFormat('en-GB');

/** Returns a sentence about the teammates who are typing or, if none is, those who are viewing. */
export function describePresent(present: readonly Present[]): string {
  const typing = present.filter(({ isTyping }) => isTyping);
  const [those, what] = typing.length > 0 ? [typing, 'typing'] : [present, 'viewing this conversation'];
  const names = those.slice(0, NAMED_MAX).map(({ name }) => name);
  const more = those.length - names.length;
  const all = list.format(more > 0 ? [...names, `${more} more`] : names);
  return `${all} ${those.length === 1 ? 'is' : 'are'} ${what}`;
}
