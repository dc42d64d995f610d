import { createHash } from 'node:crypto';
import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { db } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { discardFiles } from '#server/inbox/files/discard-files.ts';
import { openFile } from '#server/inbox/files/open-file.ts';
import { chooseThread } from '#server/inbox/incoming-mail/choose-thread.ts';
import { readMail } from '#server/inbox/incoming-mail/read-mail.ts';
import { recordBounce } from '#server/inbox/incoming-mail/record-bounce.ts';
import { type KeptMail, keptMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { storeMailFiles } from '#server/inbox/incoming-mail/store-mail-files.ts';
import { findSender, threadLookups } from '#server/inbox/incoming-mail/thread-lookups.ts';
import type { MailAuthentication } from '#server/inbox/mail-parser/authenticate-mail.ts';
import { runMailTask } from '#server/inbox/mail-parser/mail-task.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import type { Received } from '#server/inbox/messages/find-received.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';

/** So often a mail is tried while name servers do not answer; then its sender counts as not verified. */
const AUTHENTICATION_TRIES = 5;
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
    const received = await workOff({ workspaceId, kept, attempts });
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

async function workOff(given: { workspaceId: string; kept: KeptMail; attempts: number }): Promise<Received> {
  const { workspaceId, kept, attempts } = given;
  const raw = await readAll(kept.fileId);
  const authentication = await authenticate(raw, kept, attempts);
  const mail = await readMail(raw, kept.envelope.from);
  const [bouncedId] = kept.bouncesOf;
  if (bouncedId && mail.bounce?.action === 'failed') await recordBounce(bouncedId, mail.bounce);
  const sender = await findSender(db(), { workspaceId, email: mail.from?.address ?? null });
  const conversationId = bouncedId
    ? await conversationOf(bouncedId)
    : await chooseThread(
        {
          ...mail,
          sender: mail.from?.address ?? null,
          mayThread: authentication !== 'failed',
          repliesTo: kept.repliesTo,
        },
        threadLookups(db(), workspaceId),
      );
  const automatic = mail.automatic !== null || bouncedId !== undefined || sender.isMailbox;
  const { files, note } = await storeMailFiles(workspaceId, mail);
  try {
    return await receiveMessage({
      workspaceId,
      channel: 'email',
      contact: { fields: contactFields(mail) },
      contactClaimed: authentication === 'failed',
      subject: mail.subject,
      mailboxId: kept.mailboxId,
      externalThreadId: null,
      isTest: false,
      conversationId,
      content: [mail.text, note].filter((part) => part !== '').join('\n\n'),
      attachmentsCount: files.length,
      attachments: files,
      externalId: identityOf(mail, { raw, authentication }),
      automatic,
      teammateName: conversationId !== null && !automatic ? sender.teammateName : null,
      mail: {
        messageIdHeader: mail.messageId,
        senderVerified: authentication === 'passed' ? true : authentication === 'failed' ? false : null,
        to: mail.to.map(({ address }) => address),
        cc: mail.cc.map(({ address }) => address),
        html: mail.html,
        fullContent: mail.fullText,
        originalFileId: kept.fileId,
      },
    });
  } finally {
    // Those that the message links stay; of a mail that came twice the second's go.
    await discardFiles([...files.map(({ id }) => id)]);
  }
}

async function readAll(fileId: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await openFile(fileId)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Whether the sender's address may be believed. What does not end in time is not.
 * @throws while name servers do not answer and it can be tried again; in the demo, which may have none, nothing is known
 */
async function authenticate(
  raw: Buffer,
  { envelope }: KeptMail,
  attempts: number,
): Promise<'passed' | 'failed' | 'unknown'> {
  const { DNS_SERVERS: dnsServers, DEMO } = settings();
  const outcome = await runMailTask({ kind: 'authenticate', raw, envelope, dnsServers });
  const authentication: MailAuthentication = outcome.kind === 'done' ? outcome.value : 'failed';
  if (authentication !== 'unreachable') return authentication;
  if (DEMO && dnsServers === undefined) return 'unknown';
  if (attempts < AUTHENTICATION_TRIES)
    throw new Error('The name servers did not answer, so the sender is not known yet.');
  return 'failed';
}

async function conversationOf(messageId: string): Promise<string | null> {
  const message = await db().message.findUnique({
    where: { id: messageId },
    select: { conversationId: true },
  });
  return message?.conversationId ?? null;
}

/** What the mail says of its sender; of somebody known it changes nothing. */
function contactFields({ from }: ParsedMail): ContactFields {
  if (!from) return {};
  const name = from.name === from.address ? '' : from.name;
  return { email: from.address, ...(name === '' ? {} : { name }) };
}

/**
 * What a mail is known by, so that the same one is taken in once: its Message-ID and sender (decisions: conversations and
 * contacts, 22). One whose sender is not believed swallows none that is.
 */
function identityOf(
  { messageId, from }: ParsedMail,
  { raw, authentication }: { raw: Buffer; authentication: string },
): string {
  const digest = createHash('sha256');
  if (messageId === null) digest.update(raw);
  else
    digest.update(
      `${messageId}\n${from?.address ?? ''}\n${authentication === 'failed' ? 'not believed' : ''}`,
    );
  return `mail:${digest.digest('hex')}`;
}
