import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { formatTimestamp, sendServiceMail } from '#server/core/mail/service-mail.ts';

type SignIn = {
  userId: string;
  sessionId: string;
  at: Date;
  isSingleSignOn?: boolean | undefined;
  isPasskey?: boolean | undefined;
  device: string;
  address: string;
};

/** Time for which a sent email is remembered. Longer than a job is retried. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Emails a teammate once about a sign-in on a new device, also when two workers call this at the same time and after the session has
 * ended.
 * @throws when the email was not sent
 */
export async function mailNewDevice(signIn: SignIn): Promise<void> {
  await withMailLocks([signIn.sessionId], async (mine) => {
    if (mine.length === 0) throw new Error('Another worker is sending this email.');
    await mailLocked(signIn);
  });
}

async function mailLocked(signIn: SignIn): Promise<void> {
  const { userId, sessionId, at, device, address } = signIn;
  const user = await db().user.findUnique({
    where: { id: userId, deletedAt: null },
    select: { name: true, email: true },
  });
  const mailed = { identifier: `device-mailed:${sessionId}`, value: sessionId };
  if (!user || (await db().verification.count({ where: mailed })) > 0) return;
  const { SERVICE_NAME } = settings();
  const paragraphs = [
    `Hello ${user.name},`,
    `Your account at ${SERVICE_NAME} was used to sign in on a new device:`,
    `Device: ${device}\nAddress: ${address}\nTime: ${formatTimestamp(at)}`,
    'If it was you, there is nothing to do.',
    whatToDo(signIn),
    SERVICE_NAME,
  ];
  await sendServiceMail({
    workspaceId: null,
    to: { name: user.name, address: user.email },
    subject: `New sign-in to ${SERVICE_NAME}: ${device}`,
    text: `${paragraphs.join('\n\n')}\n`,
    id: sessionId,
  });
  log().info({ userId }, 'new_device.mailed');
  const expiresAt = new Date(Date.now() + REMEMBERED_MS);
  await retryWhileDatabaseAway(() => db().verification.create({ data: { ...mailed, expiresAt } }));
}

/** Returns how to stop someone else. A new password removes no passkey. */
function whatToDo({ isSingleSignOn, isPasskey }: SignIn): string {
  const { BASE_URL } = settings();
  if (isSingleSignOn)
    return `The sign-in was through the identity provider of your organization. If it was not you, tell its administrators, and end the session here:\n${BASE_URL}/settings/account`;
  if (isPasskey)
    return `The sign-in was with a passkey. If it was not you, remove the passkeys that are not yours, choose a new password and end the session here:\n${BASE_URL}/settings/account`;
  return `If it was not you, someone knows your password. Choose a new one, which signs you out everywhere:\n${BASE_URL}/forgot-password`;
}
