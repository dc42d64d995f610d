import { foldText } from '#app/lib/fold-text.ts';
import type { MentionableView } from '#server/screens/inbox/composer-views.ts';

const SUGGESTIONS_MAX = 8;

/**
 * Returns matching teammates, ignoring case and accents: prefix of the name first, then prefix of a later word, then
 * prefix of the address.
 */
export function suggestMentions(query: string, teammates: MentionableView[]): MentionableView[] {
  const prefix = foldText(query);
  const ranked = teammates.map((teammate) => ({ teammate, rank: rankOf(teammate, prefix) }));
  return [0, 1, 2]
    .flatMap((rank) => ranked.filter((each) => each.rank === rank))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ teammate }) => teammate);
}

/** Returns the unambiguous mention: the name, or the address where another teammate has the same name. */
export function mentionOf(teammate: MentionableView, teammates: MentionableView[]): string {
  const name = foldText(teammate.name);
  const isShared = teammates.some((other) => other.id !== teammate.id && foldText(other.name) === name);
  return `@${isShared ? teammate.email : teammate.name}`;
}

function rankOf({ name, email }: MentionableView, prefix: string): number | null {
  const folded = foldText(name);
  if (folded.startsWith(prefix)) return 0;
  if (folded.split(/[\s-]+/).some((word) => word.startsWith(prefix))) return 1;
  return email.startsWith(prefix) ? 2 : null;
}
