import { z } from 'zod';
import { db } from '#server/db.ts';
import { rateByLink } from '#server/ratings/rate-by-link.ts';
import { showRating } from '#server/ratings/show-rating.ts';
import type { RatingPageView } from '#server/ratings/views.ts';
import { publicScreenProcedure, screenRouter } from '#server/trpc.ts';

export type * from '#server/ratings/views.ts';

/** What a contact sees and does who follows a mailed link; the link itself says who they are. */
export const ratingsScreens = screenRouter({
  show: publicScreenProcedure
    .input(z.object({ token: z.string() }))
    .query(({ input }): Promise<RatingPageView> => showRating(db(), input.token)),
  rate: publicScreenProcedure
    .input(z.object({ token: z.string(), score: z.number(), comment: z.string().nullable() }))
    .mutation(({ input }) => rateByLink(input)),
});
