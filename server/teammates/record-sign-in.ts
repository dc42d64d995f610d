import { v7 as uuidv7 } from 'uuid';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { requestAddress } from '#server/core/limits/address-key.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { isStorableText } from '#server/core/text.ts';
import { addSignInEntries } from '#server/teammates/audit-log.ts';
import { describeDevice } from '#server/teammates/describe-device.ts';
import { HAS_SECOND_FACTOR } from '#server/teammates/has-second-factor.ts';

/** No email is sent about a new device while the account is this young: its first sign-ins follow the invitation. */
const NEW_ACCOUNT_MS = 60 * 60 * 1_000;

/**
 * Adds a sign-in to the audit log, and has the teammate told by email if it was on a new device. A device is a browser that
 * stores the cookie of `known-browser.ts`.
 */
export async function recordSignIn(signIn: {
  session: { id: string; userId: string };
  headers: Headers | undefined;
  isKnownBrowser: boolean;
  /** Given for a sign-in through an identity provider. */
  provider?: { hasMfa: boolean };
  /** Undefined or false: with the teammate's password, or through the provider. */
  isPasskey?: boolean;
}): Promise<void> {
  const { session, headers, isKnownBrowser, provider } = signIn;
  const { userId } = session;
  const from = describeOrigin(headers);
  await inTransaction(async (tx) => {
    const { createdAt, sessions } = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        createdAt: true,
        sessions: { where: { id: session.id }, select: { secondFactorAt: true } },
      },
    });
    const isTrusted = sessions.some(({ secondFactorAt }) => secondFactorAt !== null);
    const second = isTrusted ? ' in a trusted browser' : ', the first of two steps';
    const hasFactor = (await tx.user.count({ where: { id: userId, ...HAS_SECOND_FACTOR } })) > 0;
    const first = provider ? 'single sign-on' : 'their password';
    const ownFactor = hasFactor ? second : '';
    const method = signIn.isPasskey
      ? 'a passkey'
      : first + (provider?.hasMfa ? ' and several factors' : ownFactor);
    await addSignInEntries(tx, {
      // A session can have several sign-ins through providers.
      id: provider ? uuidv7() : session.id,
      userId,
      kind: isKnownBrowser ? 'signed_in' : 'signed_in_on_new_device',
      isByTeammate: true,
      data: { method, ...from },
    });
    if (isKnownBrowser || Date.now() - createdAt.getTime() < NEW_ACCOUNT_MS) return;
    const at = new Date().toISOString();
    const way = { isSingleSignOn: provider !== undefined, isPasskey: signIn.isPasskey === true };
    const job = { userId, sessionId: session.id, at, ...way, ...from };
    await queueJob(tx, 'mail-new-device', job, { queue: 'mail-accounts' });
  });
}

/**
 * Has a failed sign-in added to the audit log. A job is also queued for an unknown account, so that the duration does not reveal
 * whether the account exists. A limit per account keeps guesses from filling the log.
 * @param email any text
 */
export async function recordFailedSignIn(email: string, headers: Headers | undefined): Promise<void> {
  const address = email.trim().toLowerCase();
  if (!isStorableText(address) || !(await consumeLimit('sign_in_audit', address.slice(0, 200))).allowed)
    return;
  const user = await db().user.findUnique({ where: { email: address }, select: { id: true } });
  const job = { userId: user?.id ?? uuidv7(), attemptId: uuidv7(), ...describeOrigin(headers) };
  await inTransaction((tx) => queueJob(tx, 'record-failed-sign-in', job));
}

/** Returns the device and the IP address of a request, as the audit log and emails show them. */
export function describeOrigin(headers: Headers | undefined): { device: string; address: string } {
  return { device: describeDevice(headers?.get('user-agent')), address: requestAddress(headers) };
}
