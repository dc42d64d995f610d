import { db } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { sendServiceMail } from '#server/core/mail/service-mail.ts';
import { catchResetToken } from '#server/teammates/reset-token.ts';

/** After that people have asked again or given up. */
const WAIT_MS = 30 * 60 * 1_000;

/**
 * Mails the link to a new password that someone asked for. The token is made here, by Better Auth, and is nowhere
 * but in the mail: when the mail does not leave and this is called again, the next has another one.
 * @throws when the mail did not leave
 */
export async function mailReset({ userId, askedAt }: { userId: string; askedAt: Date }): Promise<void> {
  if (Date.now() - askedAt.getTime() > WAIT_MS) return;
  const user = await db().user.findUnique({
    where: { id: userId, deletedAt: null },
    select: { name: true, email: true },
  });
  if (!user) return;
  await db().verification.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  const { name, email } = user;
  // A third of what a worker would load at its start, for a job that is rare.
  const { auth, RESET_SECONDS } = await import('#server/teammates/auth.ts');
  const token = await catchResetToken(() => auth().api.requestPasswordReset({ body: { email } }));
  if (!token) return;
  await sendServiceMail({
    to: { name, address: email },
    ...resetMail({ name, token, seconds: RESET_SECONDS }),
  });
  log().info({ userId }, 'password_reset.mailed');
}

/** @param seconds how long the link works */
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
