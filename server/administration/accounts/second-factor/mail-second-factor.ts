import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { formatTimestamp, sendServiceMail } from '#server/core/mail/service-mail.ts';

/** What can be changed about a second factor. */
export type SecondFactorChange =
  | 'on'
  | 'off'
  | 'reset'
  | 'recovery_codes'
  | 'passkey_added'
  | 'passkey_removed';

type Change = {
  userId: string;
  changeId: string;
  change: SecondFactorChange;
  at: Date;
  byName: string | null;
  /** Missing in jobs of servers without passkeys. */
  passkeyName?: string | null | undefined;
};

/** Time for which a sent email is remembered. Longer than a job is retried. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Emails a teammate once what was changed about their second factor, also when two workers call this at the same time.
 * @throws when the email was not sent
 */
export async function mailSecondFactor(change: Change): Promise<void> {
  await withMailLocks([change.changeId], async (mine) => {
    if (mine.length === 0) throw new Error('Another worker is sending this email.');
    await mailLocked(change);
  });
}

async function mailLocked({ userId, changeId, change, at, byName, passkeyName }: Change): Promise<void> {
  const user = await db().user.findUnique({
    where: { id: userId, deletedAt: null },
    select: { name: true, email: true },
  });
  const mailed = { identifier: `second-factor-mailed:${changeId}`, value: changeId };
  if (!user || (await db().verification.count({ where: mailed })) > 0) return;
  const { BASE_URL, SERVICE_NAME } = settings();
  const what = `your account at ${SERVICE_NAME} on ${formatTimestamp(at)}`;
  const texts = {
    on: {
      subject: 'Two-factor authentication is on',
      text: `Two-factor authentication was turned on for ${what}. Signing in needs a code of your authenticator app now.`,
    },
    off: {
      subject: 'Your authenticator app is off',
      text: `The authenticator app was turned off for ${what}. Without a passkey, your password alone is enough to sign in.`,
    },
    reset: {
      subject: 'Your second factor was reset',
      text: `${byName} reset the second factor of ${what}. You are signed out everywhere, and sign in with your password only until you set up a new one:\n${BASE_URL}/settings/account`,
    },
    recovery_codes: {
      subject: 'You have new recovery codes',
      text: `New recovery codes were created for ${what}. The earlier ones do not work any more.`,
    },
    passkey_added: {
      subject: 'A passkey was added to your account',
      text: `The passkey “${passkeyName}” was added to ${what}. It can be used to sign in. If you did not add it, remove it:\n${BASE_URL}/settings/account`,
    },
    passkey_removed: {
      subject: 'A passkey was removed from your account',
      text: `The passkey “${passkeyName}” was removed from ${what}. It can’t be used to sign in any more.`,
    },
  };
  const { subject, text } = texts[change];
  const paragraphs = [
    `Hello ${user.name},`,
    text,
    `If you did not expect this, choose a new password, which signs you out everywhere, and tell an owner of your workspace:\n${BASE_URL}/forgot-password`,
    SERVICE_NAME,
  ];
  await sendServiceMail({
    workspaceId: null,
    to: { name: user.name, address: user.email },
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    id: changeId,
  });
  log().info({ userId }, 'second_factor.mailed');
  const expiresAt = new Date(Date.now() + REMEMBERED_MS);
  await retryWhileDatabaseAway(() => db().verification.create({ data: { ...mailed, expiresAt } }));
}
