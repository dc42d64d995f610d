import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { discardFiles, storeFile } from '#server/inbox/files/store-file.ts';
import type { MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { limitMailBytes } from '#server/inbox/incoming-mail/limit-mail-bytes.ts';
import { senderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** What is kept of how a mail came, beside the mail itself. */
export const keptMail = z.object({
  /** The raw mail, a stored file. */
  fileId: z.uuid(),
  envelope: z.object({ ip: z.string().nullable(), helo: z.string().nullable(), from: z.string() }),
  mailboxId: z.uuid().nullable(),
  /** The conversations whose reply addresses it was sent to, and the messages whose bounce addresses. */
  repliesTo: z.array(z.uuid()),
  bouncesOf: z.array(z.uuid()),
  /** Added once the name servers have been asked. */
  lookups: senderLookups.optional(),
});

export type KeptMail = z.infer<typeof keptMail>;

/** A mail of up to this size may use the reserved share of the workspace's quota, in bytes. */
const SMALL_MAIL_BYTES = 1_000_000;
/** As long as updates are kept: until then a mail waits to be worked off, in milliseconds. */
const KEPT_MS = 14 * 86_400_000;

/**
 * Keeps a mail for each workspace that it was sent to, and has a job work it off. When this resolves the mail is safe, and
 * the server that brought it may forget it (RFC 5321 §6.1).
 * @param source the raw mail, read once
 * @throws Refusal when a workspace has no room for it, TooMuchMail, and whatever `source` throws; nothing is kept then
 */
export async function keepMail(
  source: AsyncIterable<Uint8Array>,
  { envelope, recipients }: { envelope: KeptMail['envelope']; recipients: MailRecipient[] },
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
        const kept: KeptMail = {
          fileId,
          envelope,
          mailboxId: own.find(({ kind }) => kind === 'mailbox')?.mailboxId ?? own[0]?.mailboxId ?? null,
          repliesTo: own.flatMap((each) => (each.kind === 'reply' ? each.conversationId : [])),
          bouncesOf: own.flatMap((each) => (each.kind === 'bounce' ? each.messageId : [])),
        };
        const body = Buffer.from(JSON.stringify(kept));
        await tx.inboundUpdate.create({
          data: { id, workspaceId, channel: 'email', externalId: fileId, body },
        });
        await tx.storedFile.updateMany({
          where: { id: fileId },
          data: { expiresAt: new Date(Date.now() + KEPT_MS) },
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
