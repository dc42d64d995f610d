import { createHash } from 'node:crypto';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { addressKey } from '#server/core/limits/address-key.ts';
import { mailSource } from '#server/inbox/incoming-mail/mail-source.ts';
import { readHead } from '#server/inbox/incoming-mail/read-mail.ts';
import { type StoredMail, storedMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { organizationOf, senderDomain } from '#server/inbox/mail-parser/sender-domain.ts';
import { lookUpSender, type SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** Maximum number of mails per domain in parallel, over all workers: half of the parser processes of one worker. */
const MAILS_PER_DOMAIN = 2;

/**
 * Looks up the DNS records of the sender of a stored mail, then queues the mail for `receiveMail`. During the lookups
 * the mail uses no memory and no parser process.
 */
export async function lookUpMailSender(updateId: string): Promise<void> {
  const where = { id: updateId, processedAt: null };
  const update = await db().inboundUpdate.findFirst({ where, select: { body: true } });
  if (!update) return;
  const stored = storedMail.parse(JSON.parse(Buffer.from(update.body).toString()));
  // An earlier run stored the lookups and queued the mail in the same transaction.
  if (stored.lookups) return;
  const head = await readHead(await mailSource(stored.fileId));
  const lookups = await lookUpSender(head, stored.envelope, settings().DNS_SERVERS);
  const body = Buffer.from(JSON.stringify({ ...stored, lookups } satisfies StoredMail));
  await inTransaction(async (tx) => {
    await tx.inboundUpdate.updateMany({ where, data: { body } });
    await queueJob(tx, 'receive-mail', { updateId }, { queue: queueOf(updateId, stored.envelope, lookups) });
  });
}

/**
 * Returns the queue of a mail. Jobs of a queue run one after the other, so a domain has `MAILS_PER_DOMAIN` queues. When
 * SPF does not confirm the domain, its queues are separate for each sending server: otherwise an attacker could delay
 * the mail of any domain.
 */
function queueOf(updateId: string, envelope: StoredMail['envelope'], { spfPassed }: SenderLookups): string {
  const sender = [organizationOf(senderDomain(envelope))];
  if (!spfPassed) sender.push(addressKey(envelope.ip ?? ''));
  const digest = createHash('sha256').update(sender.join('\n')).digest('hex').slice(0, 32);
  const slot = Number.parseInt(updateId.slice(-4), 16) % MAILS_PER_DOMAIN;
  return `receive-mail:${digest}:${slot}`;
}
