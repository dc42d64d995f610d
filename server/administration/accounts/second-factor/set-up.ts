import { encode } from 'uqr';
import { v7 as uuidv7 } from 'uuid';
import { checkPassword } from '#server/administration/accounts/change-password.ts';
import { lockAccount } from '#server/administration/accounts/passkeys/challenges.ts';
import { checkFirstCode, openSecret } from '#server/administration/accounts/second-factor/check-code.ts';
import type { SecondFactorChange } from '#server/administration/accounts/second-factor/mail-second-factor.ts';
import {
  groupsOf,
  newRecoveryCodes,
  newTotpSecret,
  totpUri,
} from '#server/administration/accounts/second-factor/one-time-codes.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { seal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { digest } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { addSignInEntries, type SignInAuditKind } from '#server/teammates/audit-log.ts';
import { HAS_ONE_FACTOR } from '#server/teammates/closed-workspaces.ts';
import { HAS_SECOND_FACTOR } from '#server/teammates/has-second-factor.ts';
import { endTrust } from '#server/teammates/trusted-browser.ts';

/** A teammate, in the session in which they act. */
type Actor = { user: Teammate; sessionId: string };

/** The second factor of a teammate. `requiredBy`: workspaces that require one, now or from a later date. */
export type SecondFactorView = {
  /** When the authenticator app was set up. */
  enabledAt: Date | null;
  hasPasskeys: boolean;
  recoveryCodesLeft: number;
  requiredBy: { name: string; from: Date }[];
};

export async function getSecondFactor(userId: string): Promise<SecondFactorView> {
  const [factor, passkeys, recoveryCodesLeft, workspaces] = await Promise.all([
    db().secondFactor.findUnique({ where: { userId }, select: { enabledAt: true } }),
    db().passkey.count({ where: { userId } }),
    db().recoveryCode.count({ where: { userId, usedAt: null } }),
    db().workspace.findMany({
      where: { deletedAt: null, secondFactorFrom: { not: null }, members: { some: { userId } } },
      select: { name: true, secondFactorFrom: true },
      orderBy: { name: 'asc' },
    }),
  ]);
  return {
    enabledAt: factor?.enabledAt ?? null,
    hasPasskeys: passkeys > 0,
    recoveryCodesLeft: factor?.enabledAt || passkeys > 0 ? recoveryCodesLeft : 0,
    requiredBy: workspaces.flatMap(({ name, secondFactorFrom: from }) => (from ? [{ name, from }] : [])),
  };
}

/** The secret of a second factor, as text and as a QR code: `path` draws its dark squares in a square of `size` units. */
export type NewSecondFactor = { secret: string; qr: { size: number; path: string } };

const ALREADY_ON = 'Two-factor authentication is already on. Turn it off before you set it up again.';

/**
 * Starts to set up a second factor. It is not used before its first code is entered.
 * @throws Refusal when the password is wrong, or a second factor is in use
 */
export async function startSecondFactor(actor: Actor & { password: string }): Promise<NewSecondFactor> {
  const { user } = actor;
  await checkPassword(actor);
  const secret = newTotpSecret();
  const sealed = Uint8Array.from(seal(secret, user.id, secretKeys()));
  await inTransaction(async (tx) => {
    await tx.secondFactor.deleteMany({ where: { userId: user.id, enabledAt: null } });
    const { count } = await tx.secondFactor.createMany({
      data: { userId: user.id, secret: sealed },
      skipDuplicates: true,
    });
    if (count === 0) throw new Refusal('forbidden', ALREADY_ON);
  });
  const { data, size } = encode(totpUri(secret, { issuer: settings().SERVICE_NAME, account: user.email }));
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { secret: groupsOf(secret).join(' '), qr: { size, path } };
}

const NOT_STARTED = 'Start again: the setup was restarted or finished elsewhere.';

/**
 * Turns the second factor on with its first code, which proves that the app has the secret. All other sessions of the teammate have
 * to pass it before they work again. An email tells them.
 * @returns the recovery codes, which nothing else contains
 * @throws Refusal when the code is wrong
 */
export async function enableSecondFactor({
  user,
  sessionId,
  code,
}: Actor & { code: string }): Promise<string[]> {
  const userId = user.id;
  const pending = await db().secondFactor.findFirst({
    where: { userId, enabledAt: null },
    select: { secret: true },
  });
  if (!pending) throw new Refusal('forbidden', NOT_STARTED);
  const lastStep = await checkFirstCode(userId, openSecret(pending.secret, userId), code);
  return inTransaction(async (tx) => {
    await lockAccount(tx, userId);
    const { count } = await tx.secondFactor.updateMany({
      where: { userId, enabledAt: null, secret: pending.secret },
      data: { enabledAt: new Date(), lastStep },
    });
    if (count === 0) throw new Refusal('forbidden', NOT_STARTED);
    await requireSecondStepElsewhere(tx, { userId, sessionId });
    await record(tx, userId, 'second_factor_enabled');
    await queueMail(tx, userId, 'on');
    return replaceCodes(tx, userId);
  });
}

/**
 * Replaces the recovery codes of a teammate, and tells them by email. No browser stays trusted.
 * @throws Refusal when the password is wrong, or no second factor is in use
 */
export async function renewRecoveryCodes(actor: Actor & { password: string }): Promise<string[]> {
  const userId = actor.user.id;
  await checkPassword(actor);
  return inTransaction(async (tx) => {
    await lockAccount(tx, userId);
    if (!(await hasSecondFactor(tx, userId))) throw new Refusal('forbidden', NOT_ON);
    await endTrust(tx, userId);
    await record(tx, userId, 'recovery_codes_renewed');
    await queueMail(tx, userId, 'recovery_codes');
    return replaceCodes(tx, userId);
  });
}

const NOT_ON = 'Two-factor authentication is not on.';

/**
 * Turns the authenticator app of a teammate off, and tells them by email.
 * @throws Refusal when the password is wrong, or it is their last second factor and a workspace requires one now
 */
export async function disableSecondFactor(actor: Actor & { password: string }): Promise<void> {
  const userId = actor.user.id;
  await checkPassword(actor);
  await inTransaction(async (tx) => {
    await lockAccount(tx, userId);
    const { count } = await tx.secondFactor.deleteMany({ where: { userId, enabledAt: { not: null } } });
    if (count === 0) throw new Refusal('forbidden', NOT_ON);
    await finishRemoval(tx, userId);
    await record(tx, userId, 'second_factor_disabled');
    await queueMail(tx, userId, 'off');
  });
}

/**
 * Removes the recovery codes of a teammate whose last second factor was removed, and the sessions that wait for a second step: whoever
 * only knows the password is not let in.
 * @throws Refusal when a workspace requires a second factor now
 */
export async function finishRemoval(tx: Tx, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return;
  const required = await tx.workspace.findFirst({
    where: { deletedAt: null, secondFactorFrom: { lte: new Date() }, members: { some: { userId } } },
    select: { name: true },
  });
  if (required)
    throw new Refusal(
      'forbidden',
      `${required.name} requires two-factor authentication, so you can’t turn it off.`,
    );
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.$executeRaw`delete from sessions s where s.user_id = ${userId}::uuid and ${Prisma.raw(HAS_ONE_FACTOR)}`;
}

/** Removes app, passkeys and recovery codes. Returns whether the teammate had a second factor. */
export async function removeSecondFactors(tx: Tx, userId: string): Promise<boolean> {
  await lockAccount(tx, userId);
  const hadFactor = await hasSecondFactor(tx, userId);
  await tx.secondFactor.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
  return hadFactor;
}

async function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.user.count({ where: { id: userId, ...HAS_SECOND_FACTOR } })) > 0;
}

/** Makes all sessions of a teammate wait for a second step, except the one in which their first second factor was set up. */
export async function requireSecondStepElsewhere(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await tx.session.updateMany({
    where: { userId, secondFactorAt: { not: null } },
    data: { secondFactorAt: null },
  });
  await tx.session.updateMany({ where: { id: sessionId, userId }, data: { secondFactorAt: new Date() } });
  await checkStreams(tx, userId);
}

/** Tells a teammate by email what was changed about their second factor. @param about.byName name of the owner who reset it */
export async function queueMail(
  tx: Tx,
  userId: string,
  change: SecondFactorChange,
  { byName = null, passkeyName = null }: { byName?: string | null; passkeyName?: string | null } = {},
): Promise<void> {
  const job = { userId, changeId: uuidv7(), change, at: new Date().toISOString(), byName, passkeyName };
  await queueJob(tx, 'mail-second-factor', job, { queue: 'mail-accounts' });
}

/** Replaces the recovery codes of a teammate. */
export async function replaceCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId, codeHash: digest(code) })) });
  return codes;
}

function record(tx: Tx, userId: string, kind: SignInAuditKind): Promise<void> {
  return addSignInEntries(tx, { id: uuidv7(), userId, kind, isByTeammate: true, data: {} });
}

/** Has the open streams of a teammate's sessions checked again. */
async function checkStreams(tx: Tx, userId: string): Promise<void> {
  const sessions = await tx.session.findMany({ where: { userId }, select: { id: true } });
  afterCommit(tx, () => {
    for (const { id } of sessions) publishSession(id);
  });
}
