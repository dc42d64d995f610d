import { Prisma } from '#server/generated/prisma/client.ts';

/** A teammate who is away. `until` null: without an end. */
export type Away = { until: Date | null };

/** Condition on a row of `members`: the teammate is away. An absence ends by itself. */
export function isAway(member: 'm' | 'a'): Prisma.Sql {
  const m = Prisma.raw(member);
  return Prisma.sql`(${m}.away_since is not null and (${m}.away_until is null or ${m}.away_until > now()))`;
}

/** Returns the absence in columns of `members` at a time, or null. */
export function awayAt(
  { awaySince, awayUntil }: { awaySince: Date | null; awayUntil: Date | null },
  now: Date,
): Away | null {
  if (awaySince === null || (awayUntil !== null && awayUntil <= now)) return null;
  return { until: awayUntil };
}

/** `isAway` and the end of an absence, as read in one statement with other rows. */
export type AwayColumns = { isAway: boolean; until: string | Date | null };

export function awayOf({ isAway, until }: AwayColumns): Away | null {
  return isAway ? { until: until === null ? null : new Date(until) } : null;
}
