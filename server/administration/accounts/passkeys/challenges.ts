import type { Tx } from '#server/core/database/prisma.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';

/** Time in which the browser must answer a challenge. */
export const CHALLENGE_MS = 5 * 60 * 1_000;

const TOO_MANY = 'Too many attempts with a passkey. Wait a minute and try again.';
const EXPIRED = 'The request for your passkey has expired or was used. Try again.';

/** Purpose of a challenge, and the session or browser that may answer it. */
export type ChallengeOwner = { purpose: 'add' | 'sign-in' | 'second-step'; owner: string };

/** Returns the ID and the origin of this service as a WebAuthn relying party. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(settings().BASE_URL);
  return { id: hostname, origin };
}

/**
 * Stores a challenge in place of an earlier one of the same owner.
 * @param limitedBy whose challenges are counted together
 * @throws Refusal after too many
 */
export async function storeChallenge(
  owner: ChallengeOwner,
  challenge: string,
  limitedBy: string,
): Promise<void> {
  if (!(await consumeLimit('passkey', limitedBy)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const identifier = identifierOf(owner);
  await inTransaction(async (tx) => {
    await tx.verification.deleteMany({ where: { identifier } });
    const expiresAt = new Date(Date.now() + CHALLENGE_MS);
    await tx.verification.create({ data: { identifier, value: challenge, expiresAt }, select: { id: true } });
  });
}

/**
 * Removes the challenge of an owner, before the answer is checked: a wrong answer uses it up too.
 * @returns the challenge, or several when two requests stored one at the same time
 * @throws Refusal when there is none, or it has expired
 */
export async function consumeChallenge(owner: ChallengeOwner): Promise<string[]> {
  const rows = await sql().$queryRaw<{ value: string; isValid: boolean }[]>`
    delete from verifications where identifier = ${identifierOf(owner)} returning value, expires_at > now() as "isValid"`;
  const valid = rows.filter(({ isValid }) => isValid).map(({ value }) => value);
  if (valid.length === 0) throw invalid({ passkey: [EXPIRED] });
  return valid;
}

function identifierOf({ purpose, owner }: ChallengeOwner): string {
  return `passkey-${purpose}:${owner}`;
}

/** Locks a teammate's account. Factors are added and removed one at a time, so that each sees the others. */
export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`select from users where id = ${userId}::uuid for no key update`;
}
