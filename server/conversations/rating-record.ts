/** A satisfaction rating in the shape of the contract (spec.md §2): a score from 1 to 5, perhaps with words. */
export type RatingRecord = { score: number; comment: string | null };

/** The one serializer of ratings. */
export function ratingRecord({ score, comment }: RatingRecord): RatingRecord {
  return { score, comment };
}
