import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * What is counted of a conversation, as `report_counts.measure`. Its buckets are: `created` the hour of the week from Monday 0:00,
 * `replied` and `resolved` the logarithm of the time in business hours, `sla` 1 for met and 0 for missed, `rated` the score.
 */
export const MEASURES = { created: 0, replied: 1, resolved: 2, sla: 3, rated: 4 } as const;

export type Measure = keyof typeof MEASURES;

/** Subjects by which figures are grouped and filtered, as `report_counts.dimension`. */
export const DIMENSIONS = { all: 0, teammate: 1, team: 2, channel: 3, tag: 4 } as const;

export type Dimension = keyof typeof DIMENSIONS;

/** Key of the conversations without a teammate or team. */
export const NOBODY = '';

/** Buckets per factor of e: each is a tenth wider than the one before, so a median is right to about five percent. */
const BUCKETS_PER_E = 10;

/** Returns the bucket of a number of seconds, as SQL. */
export function bucketOf(seconds: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`floor(ln(greatest(${seconds}, 1)::double precision) * ${BUCKETS_PER_E}::int)::int`;
}

/**
 * Returns the median of times whose numbers are given by bucket, in seconds. Within its bucket, times count as spread evenly on the
 * logarithmic scale. Null without any.
 */
export function medianOf(counts: ReadonlyMap<number, number>): number | null {
  const buckets = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  for (const [bucket, count] of buckets) {
    const position = (total / 2 - before) / count;
    if (position <= 1) return Math.round(Math.exp((bucket + position) / BUCKETS_PER_E));
    before += count;
  }
  return null;
}

/** Sums the counts of a measure by bucket. */
export function bucketsOf(
  cells: readonly { measure: number; bucket: number; count: number }[],
  measure: number,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const cell of cells) {
    if (cell.measure === measure) counts.set(cell.bucket, (counts.get(cell.bucket) ?? 0) + cell.count);
  }
  return counts;
}
