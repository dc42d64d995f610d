import { z } from 'zod';
import type { RatingPageView } from '#server/contract/rating-scores.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { rateByLink } from '#server/inbox/ratings/rate-conversation.ts';
import { hasLinkEnded, parseRatingToken } from '#server/inbox/ratings/rating-link.ts';
import { publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';

export type * from '#server/contract/rating-scores.ts';

/** What a contact sees and does who follows a mailed link; the link itself says who they are. */
export const ratingsScreens = screenRouter({
  get: publicScreenProcedure
    .input(z.object({ token: z.string() }))
    .query(({ input }): Promise<RatingPageView> => getRating(db(), input.token)),
  rate: publicScreenProcedure
    .input(z.object({ token: z.string(), score: z.number(), comment: z.string().nullable() }))
    .mutation(({ input }) => rateByLink(input)),
});

/** What a mailed link leads to. Nothing is shown of the conversation but what its contact knows. */
export async function getRating(db: Db, token: string): Promise<RatingPageView> {
  const what = parseRatingToken(token);
  if (!what) return { kind: 'unknown' };
  const { workspaceId, conversationId: id } = what;
  const found = await db.conversation.findFirst({
    where: { workspaceId, id, workspace: { deletedAt: null } },
    select: {
      subject: true,
      status: true,
      resolvedAt: true,
      ratingAskedAt: true,
      workspace: { select: { name: true } },
    },
    relationLoadStrategy: 'join',
  });
  if (!found) return { kind: 'unknown' };
  const { subject, workspace } = found;
  if (hasLinkEnded(found.ratingAskedAt)) return { kind: 'ended', workspaceName: workspace.name };
  const isOver = found.status === 'closed' || found.resolvedAt !== null;
  return isOver
    ? { kind: 'open', workspaceName: workspace.name, subject }
    : { kind: 'closed', workspaceName: workspace.name };
}
