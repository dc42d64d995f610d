import { EXPORT_DAYS } from '#server/administration/export/request-export.ts';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { sendServiceMail } from '#server/core/mail/service-mail.ts';

/**
 * Emails the owner who requested an export that it is ready, once, also when two workers call this at the same time. Someone who is no
 * longer an owner gets no email.
 * @throws when the email was not sent
 */
export async function mailExport(exportId: string): Promise<void> {
  await withMailLocks([exportId], async (mine) => {
    if (mine.length === 0) throw new Error('Another worker is sending this email.');
    await mailLocked(exportId);
  });
}

async function mailLocked(exportId: string): Promise<void> {
  const found = await db().workspaceExport.findFirst({
    where: { id: exportId, finishedAt: { not: null }, mailedAt: null, workspace: { deletedAt: null } },
    select: { workspaceId: true, requestedById: true, workspace: { select: { name: true } } },
  });
  if (!found) return;
  const { workspaceId, requestedById: userId, workspace } = found;
  const owner = await db().member.findFirst({
    where: { workspaceId, userId, role: 'owner', user: { deletedAt: null } },
    select: { user: { select: { name: true, email: true } } },
  });
  if (!owner) return;
  const { name, email } = owner.user;
  const { BASE_URL, SERVICE_NAME } = settings();
  const paragraphs = [
    `Hello ${name},`,
    `The export of ${workspace.name} is ready. Owners can download it for ${EXPORT_DAYS} days:\n${BASE_URL}/settings/workspace#export`,
    'If you did not request it, sign in, end your other sessions and choose a new password.',
    SERVICE_NAME,
  ];
  await sendServiceMail({
    workspaceId: null,
    to: { name, address: email },
    subject: `The export of ${workspace.name} is ready`,
    text: `${paragraphs.join('\n\n')}\n`,
    id: exportId,
  });
  log().info({ exportId }, 'export.mailed');
  const where = { id: exportId };
  await retryWhileDatabaseAway(() =>
    db().workspaceExport.update({ where, data: { mailedAt: new Date() }, select: { id: true } }),
  );
}
