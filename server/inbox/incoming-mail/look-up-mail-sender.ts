import { createHash } from 'node:crypto';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { addressKey } from '#server/core/limits/address-key.ts';
import { mailSource } from '#server/inbox/incoming-mail/mail-source.ts';
import { readHead } from '#server/inbox/incoming-mail/read-mail.ts';
import { type KeptMail, keptMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { organizationOf, senderDomain } from '#server/inbox/mail-parser/sender-domain.ts';
import { lookUpSender, type SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** Mails of one domain that are processed at the same time, over all workers: half of one worker's pool. */
const MAILS_OF_DOMAIN = 2;

/**
 * Asks the name servers about the sender of a stored mail, and queues the mail to be read. While it waits, the mail is in no
 * one's memory and has no place in the pool that reads mails.
 */
export async function lookUpMailSender(updateId: string): Promise<void> {
  const where = { id: updateId, processedAt: null };
  const update = await db().inboundUpdate.findFirst({ where, select: { body: true } });
  if (!update) return;
  const kept = keptMail.parse(JSON.parse(Buffer.from(update.body).toString()));
  // An earlier run has queued the mail in the same transaction.
  if (kept.lookups) return;
  const head = await readHead(await mailSource(kept.fileId));
  const lookups = await lookUpSender(head, kept.envelope, settings().DNS_SERVERS);
  const body = Buffer.from(JSON.stringify({ ...kept, lookups } satisfies KeptMail));
  await inTransaction(async (tx) => {
    await tx.inboundUpdate.updateMany({ where, data: { body } });
    await queueJob(tx, 'receive-mail', { updateId }, { queue: queueOf(updateId, kept.envelope, lookups) });
  });
}

/**
 * Returns the queue of a mail. Jobs of a queue run one after the other, so a domain has as many queues as mails at a time. A
 * domain that SPF does not confirm shares its queues with no one but the server that claims it: otherwise a stranger could
 * delay the mail of any domain.
 */
function queueOf(updateId: string, envelope: KeptMail['envelope'], { spfPassed }: SenderLookups): string {
  const sender = [organizationOf(senderDomain(envelope))];
  if (!spfPassed) sender.push(addressKey(envelope.ip ?? ''));
  const digest = createHash('sha256').update(sender.join('\n')).digest('hex').slice(0, 32);
  const place = Number.parseInt(updateId.slice(-4), 16) % MAILS_OF_DOMAIN;
  return `receive-mail:${digest}:${place}`;
}
