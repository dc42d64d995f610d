import { v7 as uuidv7 } from 'uuid';
import { invalidateLinks } from '#server/administration/accounts/change-password.ts';
import { requireEmail } from '#server/contract/parse-email.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { requestAddress } from '#server/core/limits/address-key.ts';
import { consumeLimit, resetLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { sendServiceMail } from '#server/core/mail/service-mail.ts';
import { newSecret } from '#server/core/secrets.ts';
import { auth, RESET_SECONDS } from '#server/teammates/auth.ts';
import { findKnownBrowser } from '#server/teammates/known-browser.ts';
import { accountAtAddress, accountKey } from '#server/teammates/limit-sign-in.ts';
import { passwordProblem } from '#server/teammates/passwords.ts';

const NOT_VALID = 'This link is no longer valid: it was used or is older than an hour. Request a new one.';
/** The format of the tokens, also of those that Better Auth made until version 0.1.0. */
const TOKEN = /^[a-z0-9]{1,100}$/i;

/**
 * Sets a new password with the token of an emailed link. A token works once, even when two requests present
 * it at the same time. Ends all sessions of the account, invalidates its other links, also for another address, and resets the limits for
 * failed sign-ins and reset emails.
 * @throws Refusal when the token is no longer valid, when the password is refused, or when too many
 * passwords are being hashed (the token stays usable in both latter cases)
 * @returns the id of the account
 */
export async function resetPassword(input: {
  token: string;
  newPassword: string;
}): Promise<{ userId: string }> {
  const link = await findLink(input.token);
  if (!link) throw invalid({ token: [NOT_VALID] });
  const userId = link.value;
  const user = await db().user.findUnique({ where: { id: userId }, select: { email: true } });
  const problem = passwordProblem(input.newPassword, user?.email ?? '');
  if (problem) throw invalid({ newPassword: [problem] });
  // Better Auth's own reset uses up the token before it hashes, which fails when too many passwords wait.
  const { password } = await auth().$context;
  const hash = await password.hash(input.newPassword);
  const { email } = await inTransaction(async (tx) => {
    // Lock the rows in the order of `changePassword`, to prevent deadlocks.
    // Teammates who joined through an identity provider have no such row before their first password.
    const credential = { providerId: 'credential', accountId: userId };
    await tx.account.upsert({
      where: { providerId_accountId: credential },
      create: { ...credential, userId, password: hash },
      update: { password: hash },
      select: { id: true },
    });
    await tx.session.deleteMany({ where: { userId } });
    const { count } = await tx.verification.deleteMany({ where: { id: link.id } });
    if (count === 0) throw invalid({ token: [NOT_VALID] });
    await invalidateLinks(tx, userId);
    return tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  });
  await resetLimit('sign_in_account', accountKey(email));
  await resetLimit('reset_mail', accountKey(email));
  return { userId };
}

/** Returns whether the token of an emailed link can still set a password. */
export async function isResetLink(token: string): Promise<boolean> {
  return (await findLink(token)) !== null;
}

async function findLink(token: string): Promise<{ id: string; value: string } | null> {
  if (!TOKEN.test(token)) return null;
  const { internalAdapter } = await auth().$context;
  const link = await internalAdapter.findVerificationValue(identifierOf(token));
  return link && link.expiresAt > new Date() ? link : null;
}

function identifierOf(token: string): string {
  return `reset-password:${token}`;
}

const TOO_MANY =
  'Too many password links were requested. Use the one from the last hour, or try again in 15 minutes.';

/**
 * Handles the request of an anonymous visitor for a password-reset link. Neither the response nor its
 * duration reveals whether the account exists: a job is also queued for an unknown address, and every limit
 * counts unknown accounts.
 *
 * Strangers cannot use up the owner's requests. A browser that signed in before has a separate limit, and the
 * other limits count per IP address. Strangers cannot flood a mailbox either: after the `reset_mail` limit
 * the response stays the same and no email is sent, because the mailbox already holds a link that works.
 * @param headers the headers of the request
 * @throws Refusal for an invalid address, or over a limit
 */
export async function askForReset(input: { email: string; headers: Headers }): Promise<void> {
  const email = requireEmail(input.email);
  if (!(await mayMail(email, input.headers))) return;
  const user = await db().user.findUnique({ where: { email }, select: { id: true } });
  const job = { userId: user?.id ?? uuidv7(), askedAt: new Date().toISOString() };
  await inTransaction((tx) => queueJob(tx, 'mail-password-reset', job, { queue: 'mail-accounts' }));
}

/** Returns false once strangers have had the maximum number of links emailed to the account. */
async function mayMail(email: string, headers: Headers): Promise<boolean> {
  const browser = await findKnownBrowser(headers, email);
  if (browser !== undefined && (await consumeLimit('reset_browser', browser)).allowed) return true;
  const address = requestAddress(headers);
  const limits = [
    await consumeLimit('reset_address', address),
    await consumeLimit('reset_account', accountAtAddress(email, address)),
  ];
  if (limits.some(({ allowed }) => !allowed)) throw new Refusal('forbidden', TOO_MANY);
  return (await consumeLimit('reset_mail', accountKey(email))).allowed;
}

/** Lifetime of a queued request: after that, people have asked again or given up. */
const WAIT_MS = 30 * 60 * 1_000;

/**
 * Emails a requested password-reset link once, also when two workers call this at the same time. Only the email contains
 * the token, so a retry sends a new one. A worker that dies between the answer of the mail server and
 * the next statement leaves the request to be mailed again.
 * @throws when the email was not sent
 */
export async function mailReset(job: { userId: string; askedAt: Date }): Promise<void> {
  await withMailLocks([job.userId], async (mine) => {
    if (mine.length === 0) throw new Error('Another worker is sending this link.');
    await mailResetLocked(job);
  });
}

async function mailResetLocked({ userId, askedAt }: { userId: string; askedAt: Date }): Promise<void> {
  if (Date.now() - askedAt.getTime() > WAIT_MS) return;
  const user = await db().user.findUnique({
    where: { id: userId, deletedAt: null },
    select: { name: true, email: true },
  });
  if (!user) return;
  const mailed = { identifier: `reset-mailed:${userId}`, value: askedAt.toISOString() };
  if ((await db().verification.count({ where: mailed })) > 0) return;
  const { name, email } = user;
  const token = await issueResetToken(userId);
  await sendServiceMail({
    workspaceId: null,
    to: { name, address: email },
    ...resetMail({ name, token, seconds: RESET_SECONDS }),
  });
  log().info({ userId }, 'password_reset.mailed');
  const expiresAt = new Date(askedAt.getTime() + WAIT_MS);
  await retryWhileDatabaseAway(() => db().verification.create({ data: { ...mailed, expiresAt } }));
}

/** Returns the token of a new link. Only its digest is stored. */
export async function issueResetToken(userId: string): Promise<string> {
  const token = newSecret();
  const { internalAdapter } = await auth().$context;
  const expiresAt = new Date(Date.now() + RESET_SECONDS * 1_000);
  await internalAdapter.createVerificationValue({
    identifier: identifierOf(token),
    value: userId,
    expiresAt,
  });
  return token;
}

/** @param seconds lifetime of the link */
function resetMail({ name, token, seconds }: { name: string; token: string; seconds: number }): {
  subject: string;
  text: string;
} {
  const { BASE_URL, SERVICE_NAME } = settings();
  const paragraphs = [
    `Hello ${name},`,
    `Someone, probably you, requested a new password for your account at ${SERVICE_NAME}. Choose it here:\n${BASE_URL}/reset-password?token=${encodeURIComponent(token)}`,
    `The link can be used once, within ${seconds / 3600 === 1 ? 'an hour' : `${seconds / 60} minutes`}. Once you choose a new password, you are signed out everywhere.`,
    'If it was not you, ignore this email: your password stays as it is.',
    SERVICE_NAME,
  ];
  return { subject: `A new password for ${SERVICE_NAME}`, text: `${paragraphs.join('\n\n')}\n` };
}
