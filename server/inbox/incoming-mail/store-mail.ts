import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { discardFiles, storeFile } from '#server/inbox/files/store-file.ts';
import type { MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { limitMailBytes } from '#server/inbox/incoming-mail/limit-mail-bytes.ts';
import { senderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** Envelope and routing of a received mail, stored beside the raw mail. */
export const storedMail = z.object({
  /** File id of the raw mail. */
  fileId: z.uuid(),
  envelope: z.object({ ip: z.string().nullable(), helo: z.string().nullable(), from: z.string() }),
  mailboxId: z.uuid().nullable(),
  /** Conversations whose reply addresses, and messages whose bounce addresses, were among the recipients. */
  repliesTo: z.array(z.uuid()),
  bouncesOf: z.array(z.uuid()),
  /** Missing until the DNS lookups are done. */
  lookups: senderLookups.optional(),
});

export type StoredMail = z.infer<typeof storedMail>;

/** A mail of at most this size, in bytes, may use the reserve of the quota. */
const SMALL_MAIL_BYTES = 1_000_000;
/** Lifetime of an unprocessed mail, in ms; equals the retention of updates. */
const RETENTION_MS = 14 * 86_400_000;

/**
 * Stores a mail for each recipient workspace and queues its processing. The sending server may drop the mail as soon as
 * the returned promise resolves (RFC 5321 §6.1).
 * @param source the raw mail, read once
 * @throws Refusal when a workspace's quota is used up, TooMuchMail, and errors of `source`; nothing is stored then
 */
export async function keepMail(
  source: AsyncIterable<Uint8Array>,
  { envelope, recipients }: { envelope: StoredMail['envelope']; recipients: MailRecipient[] },
): Promise<string[]> {
  const byWorkspace = Map.groupBy(recipients, ({ workspaceId }) => workspaceId);
  const files: { workspaceId: string; fileId: string; own: MailRecipient[] }[] = [];
  try {
    for (const [workspaceId, own] of byWorkspace) {
      const first = files[0];
      await limitMailBytes(workspaceId, envelope, 0);
      const { id: fileId, sizeBytes } = await storeFile(workspaceId, {
        name: 'mail.eml',
        contentType: 'message/rfc822',
        source: first ? await openFile(first.fileId) : source,
        reserveMaxBytes: SMALL_MAIL_BYTES,
      });
      files.push({ workspaceId, fileId, own });
      await limitMailBytes(workspaceId, envelope, sizeBytes);
    }
    return await inTransaction(async (tx) => {
      const ids: string[] = [];
      for (const { workspaceId, fileId, own } of files) {
        const id = uuidv7();
        const stored: StoredMail = {
          fileId,
          envelope,
          mailboxId: own.find(({ kind }) => kind === 'mailbox')?.mailboxId ?? own[0]?.mailboxId ?? null,
          repliesTo: own.flatMap((each) => (each.kind === 'reply' ? each.conversationId : [])),
          bouncesOf: own.flatMap((each) => (each.kind === 'bounce' ? each.messageId : [])),
        };
        const body = Buffer.from(JSON.stringify(stored));
        await tx.inboundUpdate.create({
          data: { id, workspaceId, channel: 'email', externalId: fileId, body },
        });
        await tx.storedFile.updateMany({
          where: { id: fileId },
          data: { expiresAt: new Date(Date.now() + RETENTION_MS) },
        });
        await queueJob(tx, 'look-up-sender', { updateId: id });
        ids.push(id);
      }
      return ids;
    });
  } catch (error) {
    await discardFiles(files.map(({ fileId }) => fileId));
    throw error;
  }
}
