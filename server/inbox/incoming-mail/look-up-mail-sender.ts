import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { traced } from '#server/core/tracing/tracing.ts';
import { mailQueue } from '#server/inbox/incoming-mail/mail-queue.ts';
import { mailSource } from '#server/inbox/incoming-mail/mail-source.ts';
import { readHead } from '#server/inbox/incoming-mail/read-mail.ts';
import { type StoredMail, storedMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { lookUpSender } from '#server/inbox/mail-parser/sender-lookups.ts';

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
  const lookups = await traced(
    'look up sender',
    { kind: 'consumer', parent: stored.traceParent ?? null },
    () => lookUpSender(head, stored.envelope, settings().DNS_SERVERS),
  );
  const body = Buffer.from(JSON.stringify({ ...stored, lookups } satisfies StoredMail));
  await inTransaction(async (tx) => {
    const { count } = await tx.inboundUpdate.updateMany({
      where: { ...where, body: update.body },
      data: { body },
    });
    // Another run was faster.
    if (count === 0) return;
    const queue = mailQueue(updateId, stored.envelope, lookups);
    await queueJob(tx, 'receive-mail', { updateId }, { queue });
  });
}
