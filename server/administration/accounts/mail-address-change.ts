import { UNDO_DAYS } from '#server/administration/accounts/change-address.ts';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { formatTimestamp, sendServiceMail } from '#server/core/mail/service-mail.ts';
import { digest, newSecret } from '#server/core/secrets.ts';

/**
 * Emails both addresses of a requested change once, also when two workers call this at the same time. Creates the tokens, which only the
 * emails contain, so a retry sends new ones.
 * @throws when an email is still to be sent
 */
export async function mailAddressChange(changeId: string): Promise<void> {
  await withMailLocks([changeId], async (mine) => {
    if (mine.length === 0) throw new Error('Another worker is sending these emails.');
    await issueAndSend(changeId);
  });
}

async function issueAndSend(id: string): Promise<void> {
  const open = { id, mailedAt: null, confirmedAt: null, endedAt: null };
  const change = await db().addressChange.findFirst({
    where: { ...open, user: { deletedAt: null } },
    select: { oldEmail: true, newEmail: true, expiresAt: true, user: { select: { name: true } } },
  });
  if (!change) return;
  const [confirmToken, refuseToken] = [newSecret(), newSecret()];
  const { count } = await db().addressChange.updateMany({
    where: open,
    data: { confirmHash: digest(confirmToken), refuseHash: digest(refuseToken) },
  });
  if (count === 0) return;
  const { oldEmail, newEmail, expiresAt, user } = change;
  const isTaken = (await db().user.count({ where: { email: newEmail } })) > 0;
  await send(
    newEmail,
    isTaken
      ? { subject: 'This address already has an account', body: takenText() }
      : { subject: 'Confirm your new address', body: confirmText(confirmToken, expiresAt) },
    user.name,
  );
  await send(
    oldEmail,
    { subject: 'Your address is about to change', body: refuseText(refuseToken, newEmail) },
    user.name,
  );
  log().info({ changeId: id }, 'address_change.mailed');
  await retryWhileDatabaseAway(() =>
    db().addressChange.updateMany({ where: { id }, data: { mailedAt: new Date() } }),
  );
}

async function send(
  address: string,
  { subject, body }: { subject: string; body: string[] },
  name: string,
): Promise<void> {
  const { SERVICE_NAME } = settings();
  await sendServiceMail({
    workspaceId: null,
    to: { name, address },
    subject: `${subject} (${SERVICE_NAME})`,
    text: `${[`Hello ${name},`, ...body, SERVICE_NAME].join('\n\n')}\n`,
  });
}

function confirmText(token: string, expiresAt: Date): string[] {
  return [
    `You asked to sign in to ${settings().SERVICE_NAME} with this address. Confirm it here:\n${linkOf(token)}`,
    `The link can be used once, until ${formatTimestamp(expiresAt)}. Nothing changes before.`,
    'If it was not you, ignore this email.',
  ];
}

function takenText(): string[] {
  return [
    `Someone asked to sign in to ${settings().SERVICE_NAME} with this address, but it has an account already, so nothing changes.`,
    'If it was you, sign in with this address, or ask for another one.',
  ];
}

function refuseText(token: string, newEmail: string): string[] {
  return [
    `The address of your account at ${settings().SERVICE_NAME} is about to change to ${newEmail}, once that address is confirmed.`,
    `If it was not you, prevent the change, or undo it within ${UNDO_DAYS} days:\n${linkOf(token)}`,
    'If it was you, there is nothing to do here.',
  ];
}

function linkOf(token: string): string {
  return `${settings().BASE_URL}/address?token=${encodeURIComponent(token)}`;
}
