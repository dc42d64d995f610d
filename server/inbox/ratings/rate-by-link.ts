import { RATING_LINK_DAYS } from '#server/contract/rating-scores.ts';
import { db } from '#server/core/database/db.ts';
import { notFound, Refusal } from '#server/core/errors.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { rateConversation } from '#server/inbox/ratings/rate-conversation.ts';
import { hasLinkEnded, parseRatingToken } from '#server/inbox/ratings/rating-link.ts';

const TOO_MANY = 'This conversation was rated many times within a minute. Wait a minute and try again.';
const ENDED = `This link has expired: it works for ${RATING_LINK_DAYS} days after it was sent.`;

/**
 * A contact rates a conversation by the link that was mailed to them.
 * @throws Refusal for a link that was not signed here, leads nowhere any more or has ended, past a limit, and as
 *   `rateConversation`
 */
export async function rateByLink(given: {
  token: string;
  score: number;
  comment: string | null;
}): Promise<void> {
  const { token, score, comment } = given;
  const what = parseRatingToken(token);
  if (!what) throw notFound('The conversation');
  const { allowed } = await takeFrom('rating', what.conversationId);
  if (!allowed) throw new Refusal('forbidden', TOO_MANY);
  const { workspaceId, conversationId: id } = what;
  const found = await db().conversation.findFirst({
    where: { workspaceId, id, workspace: { deletedAt: null } },
    select: { ratingAskedAt: true },
    relationLoadStrategy: 'join',
  });
  if (!found) throw notFound('The conversation');
  if (hasLinkEnded(found.ratingAskedAt)) throw new Refusal('forbidden', ENDED);
  await rateConversation({ ...what, score, comment });
}
