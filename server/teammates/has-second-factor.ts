import type { Prisma } from '#server/generated/prisma/client.ts';

/** Condition of users with a second factor: an authenticator app or a passkey. */
export const HAS_SECOND_FACTOR = {
  OR: [{ secondFactor: { is: { enabledAt: { not: null } } } }, { passkeys: { some: {} } }],
} satisfies Prisma.UserWhereInput;

/** Returns `HAS_SECOND_FACTOR` as SQL. @param userId expression with the user's id */
export function hasSecondFactorSql(userId: 'u.id'): string {
  return `(exists (select from second_factors f where f.user_id = ${userId} and f.enabled_at is not null)
    or exists (select from passkeys k where k.user_id = ${userId}))`;
}
