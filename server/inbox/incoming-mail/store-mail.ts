import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { traceParent } from '#server/core/tracing/tracing.ts';
import { refuseBlocked } from '#server/inbox/blocked-senders/find-blocking.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { discardFiles, storeFile } from '#server/inbox/files/store-file.ts';
import type { MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { limitMailBytes } from '#server/inbox/incoming-mail/limit-mail-bytes.ts';
import { noteMailReceived } from '#server/inbox/incoming-mail/note-received-mail.ts';
import { parseAuthor } from '#server/inbox/mail-parser/mail-addresses.ts';
import { HEADERS_MAX_BYTES } from '#server/inbox/mail-parser/mail-limits.ts';
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
  /** Recipients with a subaddress. Servers of an older version store none. */
  tagged: z.array(z.string()).default([]),
  /** Missing until the DNS lookups are done. */
  lookups: senderLookups.optional(),
  /** `traceparent` of the request that stored it, if it was traced. */
  traceParent: z.string().optional(),
});

export type StoredMail = z.infer<typeof storedMail>;

/** Maximum number of stored recipients with a subaddress. */
const TAGGED_MAX = 10;
/** A mail of at most this size, in bytes, may use the reserve of the quota. */
const SMALL_MAIL_BYTES = 1_000_000;
/** Lifetime of an unprocessed mail, in ms; equals the retention of updates. */
const RETENTION_MS = 14 * 86_400_000;

/**
 * Every recipient's workspace blocks the envelope sender or the author. The author counts, whether verified or not: a
 * lookup would delay each response, and refusing a forged mail harms only its sender.
 */
export class SenderBlocked extends Error {}

/**
 * Stores a mail for each recipient workspace and queues its processing. The sending server may drop the mail as soon as
 * the returned promise resolves (RFC 5321 §6.1).
 * @param source the raw mail, read once
 * @throws Refusal when a workspace's quota is used up, TooMuchMail, SenderBlocked when no workspace accepts mail from the
 *   sender, and errors of `source`; nothing is stored then
 */
export async function storeMail(
  source: AsyncIterable<Uint8Array>,
  { envelope, recipients }: { envelope: StoredMail['envelope']; recipients: MailRecipient[] },
): Promise<string[]> {
  const head: Uint8Array[] = [];
  const byWorkspace = Map.groupBy(recipients, ({ workspaceId }) => workspaceId);
  const files: { workspaceId: string; fileId: string; own: MailRecipient[] }[] = [];
  try {
    for (const [workspaceId, own] of byWorkspace) {
      const first = files[0];
      await limitMailBytes(workspaceId, envelope, 0);
      const { id: fileId, sizeBytes } = await storeFile(workspaceId, {
        name: 'mail.eml',
        contentType: 'message/rfc822',
        source: first ? await openFile(first.fileId) : copyHead(source, head),
        reserveMaxBytes: SMALL_MAIL_BYTES,
      });
      files.push({ workspaceId, fileId, own });
      await limitMailBytes(workspaceId, envelope, sizeBytes);
    }
    const author = parseAuthor(Buffer.concat(head)).author?.address;
    const emails = author === undefined ? [envelope.from] : [envelope.from, author];
    const blocking = await refuseBlocked(
      db(),
      files.flatMap(({ workspaceId, own }) =>
        own.every(({ kind }) => kind === 'bounce') ? [] : workspaceId,
      ),
      { emails },
    );
    const accepted = files.filter(({ workspaceId }) => !blocking.has(workspaceId));
    if (accepted.length === 0) throw new SenderBlocked();
    await discardFiles(files.filter((file) => !accepted.includes(file)).map(({ fileId }) => fileId));
    const traceparent = traceParent();
    const stored = await inTransaction(async (tx) => {
      const ids: string[] = [];
      for (const { workspaceId, fileId, own } of accepted) {
        const id = uuidv7();
        const stored: StoredMail = {
          fileId,
          envelope,
          mailboxId: own.find(({ kind }) => kind === 'mailbox')?.mailboxId ?? own[0]?.mailboxId ?? null,
          repliesTo: own.flatMap((each) => (each.kind === 'reply' ? each.conversationId : [])),
          bouncesOf: own.flatMap((each) => (each.kind === 'bounce' ? each.messageId : [])),
          tagged: own
            .flatMap((each) => (each.kind === 'mailbox' ? (each.tagged ?? []) : []))
            .slice(0, TAGGED_MAX),
          ...(traceparent === undefined ? {} : { traceParent: traceparent }),
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
    await noteMailReceived(accepted.flatMap(({ own }) => own));
    return stored;
  } catch (error) {
    await discardFiles(files.map(({ fileId }) => fileId));
    throw error;
  }
}

/** Passes a mail on, and copies the pieces with its headers to `head`. */
async function* copyHead(source: AsyncIterable<Uint8Array>, head: Uint8Array[]): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of source) {
    if (bytes < HEADERS_MAX_BYTES) head.push(Uint8Array.from(piece));
    bytes += piece.byteLength;
    yield piece;
  }
}
