import { UNDO_DAYS } from '#server/administration/accounts/change-address.ts';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { formatTimestamp, sendServiceMail } from '#server/core/mail/service-mail.ts';
import { digest, signForPurpose } from '#server/core/secrets.ts';

/**
 * Emails both addresses of a requested change once, also when two workers call this at the same time: first the old one, and the new
 * one only after a mail server has accepted that email. So no link confirms a change that the old address was not told of. A retry
 * continues with the email that is missing, and its link is the same, so that one of an email that arrived anyway stays valid.
 * @throws when an email is still to be sent
 */
export async function mailAddressChange(changeId: string): Promise<void> {
  await withMailLocks([changeId], async (mine) => {
    if (mine.length === 0) throw new Error('Another worker is sending these emails.');
    await mailBoth(changeId);
  });
}

async function mailBoth(id: string): Promise<void> {
  const open = { id, mailedAt: null, confirmedAt: null, endedAt: null };
  const change = await db().addressChange.findFirst({
    where: { ...open, user: { deletedAt: null } },
    select: {
      oldEmail: true,
      newEmail: true,
      expiresAt: true,
      confirmHash: true,
      user: { select: { name: true } },
    },
  });
  if (!change) return;
  const { oldEmail, newEmail, expiresAt, user } = change;
  const [confirmToken, refuseToken] = [tokenOf('confirm', id), tokenOf('refuse', id)];
  const issue = async (hashes: { confirmHash: Hash } | { refuseHash: Hash }) =>
    (await retryWhileDatabaseAway(() => db().addressChange.updateMany({ where: open, data: hashes }))).count >
    0;
  // Stored once the old address was told.
  if (!change.confirmHash) {
    if (!(await issue({ refuseHash: digest(refuseToken) }))) return;
    await send(oldEmail, {
      subject: 'Your address is about to change',
      body: refuseText(refuseToken, newEmail),
      name: user.name,
    });
  }
  if (!(await issue({ confirmHash: digest(confirmToken) }))) return;
  const isTaken = (await db().user.count({ where: { email: newEmail } })) > 0;
  await send(newEmail, {
    ...(isTaken
      ? { subject: 'This address already has an account', body: takenText() }
      : { subject: 'Confirm your new address', body: confirmText(confirmToken, expiresAt) }),
    name: user.name,
  });
  log().info({ changeId: id }, 'address_change.mailed');
  await retryWhileDatabaseAway(() =>
    db().addressChange.updateMany({ where: { id }, data: { mailedAt: new Date() } }),
  );
}

type Hash = ReturnType<typeof digest>;

/** Returns the token of a link, the same for each retry. Only the emails contain it: it cannot be derived without the session secret. */
function tokenOf(kind: 'confirm' | 'refuse', changeId: string): string {
  return signForPurpose(`${kind} a change of the address`, Buffer.from(changeId)).toString('hex');
}

async function send(
  address: string,
  { subject, body, name }: { subject: string; body: string[]; name: string },
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
