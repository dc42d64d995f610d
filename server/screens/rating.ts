import { z } from 'zod';
import type { RatingPageView } from '#server/contract/rating-scores.ts';
import { db } from '#server/core/database/db.ts';
import { rateByLink } from '#server/inbox/ratings/rate-by-link.ts';
import { getRating } from '#server/screens/get-rating.ts';
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
