import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { MailFault, type MailFaultKind } from '#server/core/mail/mail-fault.ts';
import { sendServiceMail } from '#server/core/mail/service-mail.ts';
import { testMailReference } from '#server/inbox/channels/email/inbound-addresses.ts';
import { requireManager } from '#server/teammates/require-role.ts';

const TOO_MANY = 'Too many test emails were sent. Wait a minute and try again.';

const PROBLEMS: Record<MailFaultKind, (address: string) => string> = {
  temporary: () => 'The mail server did not accept the test email right now. Try again in a few minutes.',
  refused: (address) => `The mail server refused the test email to ${address}.`,
  unclear: () => 'The connection to the mail server broke. The test email may still arrive.',
};

/**
 * Sends an email to a mailbox's own address, the way that a contact's email takes, and notes the time. `noteTestReceived`
 * recognizes it on arrival. No transaction is open while it is sent.
 * @throws Refusal when `by` is neither owner nor admin, there is no such mailbox, the service has no mail server for sending,
 * the mail server refuses, or after 10 test emails a minute
 */
export async function sendTestMail(which: {
  workspaceId: string;
  mailboxId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, mailboxId: id, by } = which;
  await inTransaction((tx) => requireManager(tx, { workspaceId, userId: by.id }));
  const where = { id, workspaceId };
  const mailbox = isUuid(id)
    ? await db().mailbox.findFirst({ where, select: { address: true, name: true } })
    : null;
  if (!mailbox) throw notFound('The mailbox');
  if (!settings().SMTP_URL) throw invalid({ mailbox: ['This service has no mail server that sends email.'] });
  if (!(await consumeLimit('test_mail', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  // Before it is sent, as it may arrive before the mail server responds.
  const testSentAt = new Date();
  await db().mailbox.updateMany({ where, data: { testSentAt, testReceivedAt: null } });
  try {
    await sendServiceMail({
      workspaceId,
      to: mailbox,
      subject: `Test email to ${mailbox.address}`,
      text: `${by.name} sent this email to check that email to ${mailbox.address} arrives in the shared inbox. It needs no reply.`,
      references: [testMailReference(id)],
    });
  } catch (error) {
    if (!(error instanceof MailFault)) throw error;
    log().info({ err: error, workspaceId, mailboxId: id }, 'test_mail.not_sent');
    if (error.kind !== 'unclear') {
      await db().mailbox.updateMany({ where: { ...where, testSentAt }, data: { testSentAt: null } });
    }
    throw invalid({ mailbox: [PROBLEMS[error.kind](mailbox.address)] });
  }
}
