import type { MentionableView } from '#server/screens/inbox/views.ts';

/** So many are offered at a time. */
const OFFERED_MAX = 8;

/**
 * The teammates that a typed name or address may mean, the likeliest first: names that begin so, then those in which a
 * later word does, then addresses; without regard to case and accents.
 */
export function suggestMentions(query: string, teammates: MentionableView[]): MentionableView[] {
  const wanted = fold(query);
  const ranked = teammates.map((teammate) => ({ teammate, rank: rankOf(teammate, wanted) }));
  return [0, 1, 2]
    .flatMap((rank) => ranked.filter((each) => each.rank === rank))
    .slice(0, OFFERED_MAX)
    .map(({ teammate }) => teammate);
}

/** What mentions this teammate alone: the name, or the address when another teammate has the same name. */
export function mentionOf(teammate: MentionableView, teammates: MentionableView[]): string {
  const name = fold(teammate.name);
  const isShared = teammates.some((other) => other.id !== teammate.id && fold(other.name) === name);
  return `@${isShared ? teammate.email : teammate.name}`;
}

function rankOf({ name, email }: MentionableView, wanted: string): number | null {
  const folded = fold(name);
  if (folded.startsWith(wanted)) return 0;
  if (folded.split(/[\s-]+/).some((word) => word.startsWith(wanted))) return 1;
  return email.startsWith(wanted) ? 2 : null;
}

/** `Zoë` is found by `zoe`, and by `ZOË`. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
