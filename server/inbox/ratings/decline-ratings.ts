import { db } from '#server/core/database/db.ts';
import { log } from '#server/core/log.ts';
import { parseRatingToken } from '#server/inbox/ratings/rating-link.ts';

/**
 * The contact of a conversation is mailed for no rating any more, in this workspace. Twice changes nothing.
 * @returns the name of the workspace, or null for a link that was not signed here or leads nowhere any more
 */
export async function declineRatings(token: string): Promise<{ workspaceName: string } | null> {
  const found = await findDeclinable(token);
  if (!found) return null;
  const { id, workspace } = found;
  const { count } = await db().contact.updateMany({
    where: { id, ratingsDeclinedAt: null },
    data: { ratingsDeclinedAt: new Date() },
  });
  if (count === 1) log().info({ contactId: id }, 'rating.declined');
  return { workspaceName: workspace.name };
}

/** Whom a link is about; reading changes nothing. */
export async function findDeclinable(token: string) {
  const what = parseRatingToken(token);
  if (!what) return null;
  const { workspaceId, conversationId: id } = what;
  const conversation = await db().conversation.findFirst({
    where: { workspaceId, id, workspace: { deletedAt: null } },
    select: { contact: { select: { id: true, workspace: { select: { name: true } } } } },
    relationLoadStrategy: 'join',
  });
  return conversation?.contact ?? null;
}
