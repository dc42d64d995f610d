import { parseCode, totpStep } from '#server/administration/accounts/second-factor/one-time-codes.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { consumeLimit, resetLimit } from '#server/core/limits/limits.ts';
import { unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { digest } from '#server/core/secrets.ts';

const WRONG = 'The code is incorrect or was used before. Wait for the next one and try again.';
const TOO_MANY = 'Too many incorrect codes. Wait 15 minutes and try again.';
const TOO_MANY_TODAY =
  'Too many incorrect codes today. Try again tomorrow, or ask an owner of your workspace to reset your second factor.';

/** What a code was: of the authenticator app, or one of the recovery codes. */
export type CodeKind = 'app' | 'recovery';

/**
 * Uses up a code of a teammate's second factor. A code works once, even when two requests present it at the same time, and no code of
 * an earlier time step works after it. An attempt counts before it is checked, per account, so that neither parallel guesses nor
 * further sign-ins give more attempts.
 * @throws Refusal when the code is wrong, was used, or too many were wrong
 */
export async function consumeCode(userId: string, typed: string): Promise<CodeKind> {
  await countAttempt(userId);
  const parsed = parseCode(typed);
  const isValid =
    parsed?.kind === 'app'
      ? await consumeAppCode(userId, parsed.code)
      : parsed !== undefined && (await consumeRecoveryCode(userId, parsed.code));
  if (!parsed || !isValid) throw invalid({ code: [WRONG] });
  await forgetAttempts(userId);
  return parsed.kind;
}

/**
 * Checks the first code of a second factor that is being set up.
 * @returns the time step of the code
 * @throws Refusal when the code is wrong, or too many were wrong
 */
export async function checkFirstCode(userId: string, secret: string, typed: string): Promise<number> {
  await countAttempt(userId);
  const parsed = parseCode(typed);
  const step = parsed?.kind === 'app' ? await totpStep(secret, parsed.code) : undefined;
  if (step === undefined) throw invalid({ code: [WRONG] });
  await forgetAttempts(userId);
  return step;
}

/** Decrypts the secret of a second factor. */
export function openSecret(sealed: Uint8Array, userId: string): string {
  return unseal(sealed, userId, secretKeys());
}

async function countAttempt(userId: string): Promise<void> {
  if (!(await consumeLimit('second_factor', userId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  if (!(await consumeLimit('second_factor_day', userId)).allowed)
    throw new Refusal('forbidden', TOO_MANY_TODAY);
}

/** Forgets the wrong codes of a teammate. */
export async function forgetAttempts(userId: string): Promise<void> {
  await resetLimit('second_factor', userId);
  await resetLimit('second_factor_day', userId);
}

async function consumeAppCode(userId: string, code: string): Promise<boolean> {
  const factor = await db().secondFactor.findFirst({
    where: { userId, enabledAt: { not: null } },
    select: { secret: true },
  });
  const step = factor ? await totpStep(openSecret(factor.secret, userId), code) : undefined;
  if (!factor || step === undefined) return false;
  const { count } = await db().secondFactor.updateMany({
    where: { userId, secret: factor.secret, enabledAt: { not: null }, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count > 0;
}

async function consumeRecoveryCode(userId: string, code: string): Promise<boolean> {
  const count = await sql().$executeRaw`
    update recovery_codes set used_at = now()
    where user_id = ${userId}::uuid and code_hash = ${digest(code)} and used_at is null`;
  return count > 0;
}
