import { db } from '#server/db.ts';
import { notFound, Refusal } from '#server/errors.ts';
import { takeFrom } from '#server/limits/limits.ts';
import { rateConversation } from '#server/ratings/rate-conversation.ts';
import { readRatingToken } from '#server/ratings/rating-link.ts';

const TOO_MANY = 'This was rated many times within a minute. Wait a minute and try again.';

/**
 * A contact rates a conversation by the link that was mailed to them.
 * @throws Refusal for a link that was not signed here or leads nowhere any more, past a limit, and as `rateConversation`
 */
export async function rateByLink(given: {
  token: string;
  score: number;
  comment: string | null;
}): Promise<void> {
  const { token, score, comment } = given;
  const what = readRatingToken(token);
  if (!what) throw notFound('The conversation');
  const { allowed } = await takeFrom('rating', what.conversationId);
  if (!allowed) throw new Refusal('forbidden', TOO_MANY);
  const workspace = await db().workspace.count({ where: { id: what.workspaceId, deletedAt: null } });
  if (workspace === 0) throw notFound('The conversation');
  await rateConversation({ ...what, score, comment });
}
