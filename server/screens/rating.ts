import { z } from 'zod';
import { RATING_COMMENT_MAX_LENGTH, type RatingPageView } from '#server/contract/rating-scores.ts';
import { keyInput, textInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { rateByLink } from '#server/inbox/ratings/rate-conversation.ts';
import { hasLinkEnded, parseRatingToken } from '#server/inbox/ratings/rating-link.ts';
import { publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';

export type * from '#server/contract/rating-scores.ts';

/** Rating page of an emailed link. The link itself identifies the contact. */
export const ratingsScreens = screenRouter({
  get: publicScreenProcedure
    .input(z.object({ token: keyInput }))
    .query(({ input }): Promise<RatingPageView> => getRating(db(), input.token)),
  rate: publicScreenProcedure
    .input(
      z.object({
        token: keyInput,
        score: z.number(),
        comment: textInput(RATING_COMMENT_MAX_LENGTH).nullable(),
      }),
    )
    .mutation(({ input }) => rateByLink(input)),
});

/** Returns the page of a rating link. Shows only what the contact knows about the conversation. */
export async function getRating(db: Db, token: string): Promise<RatingPageView> {
  const parsed = parseRatingToken(token);
  if (!parsed) return { kind: 'unknown' };
  const { workspaceId, conversationId: id } = parsed;
  const found = await db.conversation.findFirst({
    where: { workspaceId, id, workspace: { deletedAt: null }, OR: [{ removal: null }, { removal: 'spam' }] },
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
