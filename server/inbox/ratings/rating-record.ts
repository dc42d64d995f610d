import type { RatingRecord } from '#server/contract/record-schemas.ts';
/** The one serializer of ratings. */
export function ratingRecord({ score, comment }: RatingRecord): RatingRecord {
  return { score, comment };
}
