import { createHash } from 'node:crypto';
import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { Refusal } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { cleanName } from '#server/core/text.ts';
import { discardFiles, type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';
import { chooseThread } from '#server/inbox/incoming-mail/choose-thread.ts';
import { withMailPermit } from '#server/inbox/incoming-mail/mail-permit.ts';
import { mailSource } from '#server/inbox/incoming-mail/mail-source.ts';
import { readHead, readMail } from '#server/inbox/incoming-mail/read-mail.ts';
import { findBounced, recordBounce } from '#server/inbox/incoming-mail/record-bounce.ts';
import { type KeptMail, keptMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { findSender, threadLookups } from '#server/inbox/incoming-mail/thread-lookups.ts';
import type { MailAuthentication } from '#server/inbox/mail-parser/authenticate-mail.ts';
import type { MailSource } from '#server/inbox/mail-parser/mail-task.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import { lookUpSender } from '#server/inbox/mail-parser/sender-lookups.ts';
import { type IncomingMessage, knownPlace, type Received } from '#server/inbox/messages/incoming-message.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';

/** So often a mail is tried at all; then it is given up with its error, and its original stays for 14 days. */
const TRIES_MAX = 15;

/**
 * Works off a mail that was kept: who sent it, what it says, where it belongs. Run again, also at once, it makes one
 * message.
 * @throws to be tried again later; the last time the fault is noted with the mail instead
 */
export async function receiveMail(updateId: string): Promise<void> {
  const [update] = await db().inboundUpdate.updateManyAndReturn({
    where: { id: updateId, processedAt: null },
    data: { attempts: { increment: 1 } },
    select: { workspaceId: true, body: true, attempts: true },
  });
  if (!update?.workspaceId) return;
  const { workspaceId, attempts } = update;
  try {
    const kept = keptMail.parse(JSON.parse(Buffer.from(update.body).toString()));
    const source = await mailSource(kept.fileId);
    const received = await withMailPermit(source.bytes, () =>
      workOff({ workspaceId, kept, source, tries: attempts - 1 }),
    );
    await endUpdate(updateId, null);
    log().info({ updateId, workspaceId, ...received }, 'mail.received');
  } catch (error) {
    if (attempts < TRIES_MAX) throw error;
    await endUpdate(
      updateId,
      error instanceof Error ? error.message.slice(0, 500) : 'It could not be worked off.',
    );
    log().error({ err: error, updateId, workspaceId }, 'mail.set_aside');
  }
}

async function endUpdate(id: string, error: string | null): Promise<void> {
  await db().inboundUpdate.updateMany({
    where: { id, processedAt: null },
    data: { processedAt: new Date(), error },
  });
}

async function workOff(given: {
  workspaceId: string;
  kept: KeptMail;
  source: MailSource;
  tries: number;
}): Promise<Received> {
  const { workspaceId, kept, source, tries } = given;
  const { envelope } = kept;
  // A server of an older version queues mails without lookups.
  const lookups =
    kept.lookups ?? (await lookUpSender(await readHead(source), envelope, settings().DNS_SERVERS));
  const { authentication, mail } = await readMail({ source, envelope, lookups }, tries);
  const author = mail.from?.address ?? null;
  const bounced = mail.bounce && (await findBounced(kept.bouncesOf, mail.bounce));
  if (bounced && mail.bounce?.action === 'failed') await recordBounce(bounced, mail.bounce);
  const sender = await findSender(db(), { workspaceId, email: author });
  const conversationId = bounced
    ? bounced.conversationId
    : await chooseThread(
        { ...mail, sender: author, authentication, repliesTo: kept.repliesTo },
        threadLookups(db(), workspaceId),
      );
  const automatic = mail.automatic !== null || bounced !== null || sender.isMailbox;
  const isTeammate = conversationId !== null && !automatic && authentication === 'passed';
  const { files, note } = await storeMailFiles(workspaceId, mail);
  try {
    const message: IncomingMessage = {
      workspaceId,
      channel: 'email',
      subject: mail.subject,
      mailboxId: kept.mailboxId,
      externalThreadId: null,
      isTest: false,
      content: [mail.text, note].filter((part) => part !== '').join('\n\n'),
      attachmentsCount: files.length,
      attachments: files,
      externalId: await identityOf(mail, { source, authentication }),
      automatic,
      teammateName: isTeammate ? sender.teammateName : null,
      mail: {
        messageIdHeader: mail.messageId,
        senderVerified: authentication === 'passed' ? true : authentication === 'failed' ? false : null,
        to: mail.to.map(({ address }) => address),
        cc: mail.cc.map(({ address }) => address),
        html: mail.html,
        fullContent: mail.fullText,
        originalFileId: kept.fileId,
      },
    };
    const contact = { fields: contactFields(mail) };
    const contactClaimed = authentication === 'failed';
    return await receiveMessage(message, knownPlace({ conversationId, contact, contactClaimed }));
  } finally {
    // Those that the message links stay; of a mail that came twice the second's go.
    await discardFiles([...files.map(({ id }) => id)]);
  }
}

/** What the mail says of its sender; of somebody known it changes nothing. */
function contactFields({ from }: ParsedMail): ContactFields {
  if (!from) return {};
  const name = from.name === from.address ? '' : cleanName(from.name);
  return { email: from.address, ...(name === '' ? {} : { name }) };
}

/**
 * What a mail is known by, so that the same one is taken in once: its Message-ID and sender (decisions: conversations and
 * contacts, 22). One whose sender is not believed swallows none that is.
 */
async function identityOf(
  { messageId, from }: ParsedMail,
  { source, authentication }: { source: MailSource; authentication: MailAuthentication },
): Promise<string> {
  const digest = createHash('sha256');
  if (messageId === null) for await (const piece of await source.open()) digest.update(piece);
  else
    digest.update(
      `${messageId}\n${from?.address ?? ''}\n${authentication === 'failed' ? 'not believed' : ''}`,
    );
  return `mail:${digest.digest('hex')}`;
}

/**
 * Stores the files of a mail, and says in a note which ones are in its original alone: those beyond the number that is
 * kept, and those for which the workspace has no room.
 * @returns the note, empty when all are kept
 */
async function storeMailFiles(
  workspaceId: string,
  { files, filesLeftOut }: Pick<ParsedMail, 'files' | 'filesLeftOut'>,
): Promise<{ files: StoredFile[]; note: string }> {
  const stored: StoredFile[] = [];
  let leftOut = filesLeftOut;
  for (const { name, contentType, contentId, isInline, content } of files) {
    try {
      const file = await storeFile(workspaceId, { name, contentType, source: piecesOf(content) });
      stored.push({ ...file, inline: isInline, contentId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      leftOut += 1;
    }
  }
  if (leftOut === 0) return { files: stored, note: '' };
  const what =
    leftOut === 1 ? 'One file of this email is' : `${leftOut.toLocaleString('en')} files of this email are`;
  return { files: stored, note: `[${what} in its original only.]` };
}

async function* piecesOf(content: Uint8Array) {
  if (content.byteLength > 0) yield content;
}
