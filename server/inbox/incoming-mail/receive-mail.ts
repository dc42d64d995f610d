import { createHash } from 'node:crypto';
import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { db } from '#server/core/database/prisma.ts';
import { asciiEmail } from '#server/core/email-domain.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { cleanName } from '#server/core/text.ts';
import { traced } from '#server/core/tracing/tracing.ts';
import { refuseBlocked } from '#server/inbox/blocked-senders/find-blocking.ts';
import { discardFiles } from '#server/inbox/files/store-file.ts';
import { type ChosenAuthor, chooseAuthor } from '#server/inbox/incoming-mail/choose-author.ts';
import { chooseOffer } from '#server/inbox/incoming-mail/choose-offer.ts';
import { chooseThread } from '#server/inbox/incoming-mail/choose-thread.ts';
import { findKnownAddresses } from '#server/inbox/incoming-mail/find-known-addresses.ts';
import { withMailPermit } from '#server/inbox/incoming-mail/mail-permit.ts';
import { mailSource } from '#server/inbox/incoming-mail/mail-source.ts';
import { noteTestReceived } from '#server/inbox/incoming-mail/note-received-mail.ts';
import { readHead, readMail } from '#server/inbox/incoming-mail/read-mail.ts';
import {
  entriesOf,
  findReturned,
  isDeleted,
  type ReturnedMail,
  recordReturned,
} from '#server/inbox/incoming-mail/record-bounce.ts';
import { senderName } from '#server/inbox/incoming-mail/sender-name.ts';
import { type StoredMail, storedMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { storeMailFiles } from '#server/inbox/incoming-mail/store-mail-files.ts';
import { findTeammateName, threadLookups } from '#server/inbox/incoming-mail/thread-lookups.ts';
import { isAbsenceSubject } from '#server/inbox/mail-parser/absence-subject.ts';
import type { AuthenticatedMail } from '#server/inbox/mail-parser/authenticated-mail.ts';
import { describeInvitation } from '#server/inbox/mail-parser/describe-invitation.ts';
import type { MailSource } from '#server/inbox/mail-parser/mail-task.ts';
import type { MailAddress, ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import { lookUpSender } from '#server/inbox/mail-parser/sender-lookups.ts';
import { addMailReaction } from '#server/inbox/messages/change-reactions.ts';
import type {
  IncomingMessage,
  Place,
  Received,
  ThreadReason,
} from '#server/inbox/messages/incoming-message.ts';
import { receiveOnce } from '#server/inbox/messages/receive-message.ts';

/** Maximum number of attempts per mail. Afterwards its error is stored, and its original remains for 14 days. */
const TRIES_MAX = 15;

/**
 * Processes a stored mail: authenticates the sender, parses the mail, chooses the thread, and stores the message.
 * Idempotent, even in parallel runs.
 * @throws for a retry; the last attempt stores the error with the mail instead
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
    const stored = storedMail.parse(JSON.parse(Buffer.from(update.body).toString()));
    const source = await mailSource(stored.fileId);
    const received = await withMailPermit(source.bytes, () =>
      traced('process mail', { kind: 'consumer', parent: stored.traceParent ?? null }, () =>
        processMail({ workspaceId, stored, source, tries: attempts - 1 }),
      ),
    );
    await finishUpdate(updateId, null);
    log().info({ updateId, workspaceId, ...received }, 'mail.received');
  } catch (error) {
    if (attempts < TRIES_MAX) throw error;
    await finishUpdate(
      updateId,
      error instanceof Error ? error.message.slice(0, 500) : 'The mail could not be processed.',
    );
    log().error({ err: error, updateId, workspaceId }, 'mail.set_aside');
  }
}

async function finishUpdate(id: string, error: string | null): Promise<void> {
  await db().inboundUpdate.updateMany({
    where: { id, processedAt: null },
    data: { processedAt: new Date(), error },
  });
}

/**
 * Why a mail makes no message. `blocked`: the person behind a form or group is blocked. `returned`: it came back from a
 * conversation that is deleted. `test`: it is the test email of a mailbox.
 */
type Dropped = { dropped: 'blocked' | 'returned' | 'test' };

type MailJob = { workspaceId: string; stored: StoredMail; source: MailSource; tries: number };

/** Processes a mail in three steps: who wrote it, where it belongs, what is stored. */
async function processMail(job: MailJob): Promise<Received | Dropped> {
  const written = await findAuthor(job);
  if ('dropped' in written) return written;
  const placed = await findPlace(written);
  if ('dropped' in placed) return placed;
  return (await addReaction(placed)) ?? (await storeMessage(placed));
}

/** A mail with its author. */
type WrittenMail = MailJob &
  ChosenAuthor &
  Pick<AuthenticatedMail, 'checks'> & { mail: ParsedMail; email: string | null };

/** Authenticates the sender, parses the mail, and decides who wrote it. */
async function findAuthor(job: MailJob): Promise<WrittenMail | Dropped> {
  const { workspaceId, stored, source, tries } = job;
  const { envelope } = stored;
  // Servers of an older version queue mails without lookups.
  const lookups =
    stored.lookups ?? (await lookUpSender(await readHead(source), envelope, settings().DNS_SERVERS));
  const { mail, ...proof } = await readMail({ source, envelope, lookups }, tries);
  if (await noteTestReceived(workspaceId, mail)) return { dropped: 'test' };
  const chosen = chooseAuthor({ ...mail, ...proof }, await findKnownAddresses(db(), { workspaceId, mail }));
  const email = chosen.author?.address ?? null;
  // The address in From is checked before the mail is accepted.
  const isChecked = chosen.isFrom || email === null;
  if (!isChecked && (await refuseBlocked(db(), [workspaceId], { emails: [email] })).size > 0) {
    return { dropped: 'blocked' };
  }
  return { ...job, ...chosen, checks: proof.checks, mail, email };
}

/** A mail with its conversation; null starts a new one. */
type PlacedMail = WrittenMail & {
  conversationId: string | null;
  isOther: boolean;
  reason: ThreadReason;
  returned: ReturnedMail | null;
  /** Name of the teammate who has the author's address. */
  teammateName: string | null;
};

/** Finds the conversation of a mail, and records what a returned mail means for its message. */
async function findPlace(written: WrittenMail): Promise<PlacedMail | Dropped> {
  const { workspaceId, stored, mail, email, isFrom } = written;
  const returned = await findReturned(stored.bouncesOf, mail, stored.envelope.from);
  if (returned) {
    await recordReturned(returned);
    if (isDeleted(returned)) return { dropped: 'returned' };
  } else if (stored.bouncesOf.length > 0 && stored.envelope.from === '') return { dropped: 'returned' };
  const teammateName = isFrom ? await findTeammateName(db(), { workspaceId, email }) : null;
  // Who forwarded a mail makes nobody a teammate.
  const authentication =
    teammateName !== null && written.checks?.forwarder ? 'failed' : written.authentication;
  const thread = returned
    ? { conversationId: returned.message.conversationId, isOther: false, reason: 'returned' as const }
    : await chooseThread(
        { ...mail, sender: email, authentication, repliesTo: stored.repliesTo },
        { ...threadLookups(db(), workspaceId), isTeammate: async () => teammateName !== null },
      );
  return { ...written, ...thread, authentication, returned, teammateName };
}

/** Adds a mail that is only a reaction to the message that it answers; undefined if it is none, or there is no such message. */
async function addReaction(placed: PlacedMail): Promise<Received | undefined> {
  const { workspaceId, conversationId, author, mail } = placed;
  const emoji = mail.reaction?.emoji ?? null;
  if (conversationId === null || emoji === null || !author) return undefined;
  const { inReplyTo } = mail;
  return addMailReaction({ workspaceId, conversationId, inReplyTo, author: reactorOf(author), emoji });
}

/** Stores a mail's files and its message. */
async function storeMessage(placed: PlacedMail): Promise<Received> {
  const { workspaceId, stored, mail, email, authentication } = placed;
  const { conversationId, returned, teammateName } = placed;
  const isAbsence = conversationId !== null && (await isAbsenceNote(conversationId, mail));
  const automatic = placed.isAutomatic || mail.reaction !== null || returned !== null || isAbsence;
  const isTeammate = teammateName !== null && authentication === 'passed';
  const offer =
    conversationId === null
      ? await chooseOffer(db(), { workspaceId, mail, isForm: placed.isForm, isTeammate })
      : null;
  const { files, note } = await storeMailFiles(workspaceId, mail);
  try {
    const message: IncomingMessage = {
      workspaceId,
      channel: 'email',
      subject: mail.subject,
      mailboxId: stored.mailboxId,
      content: [mail.text || sayEmpty(mail), note].filter((part) => part !== '').join('\n\n'),
      attachments: files,
      externalId: await identityOf(placed),
      senderName: placed.author?.name ?? null,
      automatic,
      machineName: returned && machineName(mail),
      entries: returned ? entriesOf(returned) : [],
      teammateName: isTeammate && conversationId !== null && !automatic ? teammateName : null,
      offer,
      mail: {
        messageIdHeader: mail.messageId,
        author: email,
        replyTo: placed.replyTo,
        forbidsAnswers: mail.forbidsAnswers,
        senderVerified: authentication === 'passed' ? true : authentication === 'failed' ? false : null,
        senderChecks: placed.checks,
        threadReason: placed.reason,
        ...recipientsOf(mail, stored),
        html: mail.html,
        invitation: mail.invitation,
        fullContent: mail.fullText,
        originalFileId: stored.fileId,
      },
    };
    return await receiveOnce(message, placeOf(placed));
  } finally {
    // Discards the files of a repeated mail. Linked files stay.
    await discardFiles([...files.map(({ id }) => id)]);
  }
}

/** Returns the place of a mail's message. Mail that proves nothing starts a conversation. */
function placeOf({ conversationId, authentication, author, isOther }: PlacedMail): Place {
  const fields = contactFields(author);
  if (conversationId === null && authentication !== 'passed') {
    return { kind: 'unverified', fields, authentication };
  }
  const target = { conversationId, contact: { fields }, contactClaimed: false, isOther };
  return { kind: 'known', target };
}

/**
 * Returns the recipients that a mail names. Adds those with a subaddress that it does not name, such as of a forwarded
 * mail, so that the thread shows them.
 */
function recipientsOf(mail: ParsedMail, { tagged }: StoredMail): { to: string[]; cc: string[] } {
  const to = mail.to.map(({ address }) => address);
  const cc = mail.cc.map(({ address }) => address);
  return { to: [...to, ...tagged.filter((address) => !to.includes(address) && !cc.includes(address))], cc };
}

function reactorOf({ address, name }: MailAddress): { address: string; name: string | null } {
  return { address, name: cleanName(name) || null };
}

/** Returns whether the subject of a mail in a thread is that of an absence note, and not the subject of the thread. */
async function isAbsenceNote(conversationId: string, { subject }: ParsedMail): Promise<boolean> {
  if (!isAbsenceSubject(subject)) return false;
  const conversation = await db().conversation.findUnique({
    where: { id: conversationId },
    select: { subject: true },
  });
  return !isAbsenceSubject(conversation?.subject ?? null);
}

/** Returns the name of the mail server that returned a mail. */
function machineName({ from }: ParsedMail): string {
  return cleanName(from?.name ?? '') || from?.address || 'Mail server';
}

/** Returns the sender's contact fields. They do not change an existing contact. */
function contactFields(author: MailAddress | null): ContactFields {
  if (!author) return {};
  const name = asciiEmail(author.name) === author.address ? undefined : senderName(author.name);
  return { email: author.address, name };
}

/** Returns what came instead of text (`docs/rulings.md` 3.39); empty for a mail with files. */
function sayEmpty({ isEncrypted, invitation, files }: ParsedMail): string {
  if (invitation) return describeInvitation(invitation);
  if (isEncrypted) return '[Encrypted email: open the attached file to read it]';
  if (files.length === 0) return '[This email has no text.]';
  // Pictures in the text are not counted as files, so nothing else would mention them.
  if (!files.every(({ isInline }) => isInline)) return '';
  return files.length === 1 ? '[1 picture]' : `[${files.length} pictures]`;
}

/**
 * Returns the deduplication key of a mail: a digest of Message-ID, sender and content (`docs/rulings.md` 3.22), because
 * shops and scanners reuse ids. A mail that failed authentication has a separate key, so it cannot suppress an authentic
 * mail, and so has a mail that came back for each message: some servers write all their reports with one id and text.
 * White space does not count: servers on the way may fold lines differently.
 */
async function identityOf({ mail, source, authentication, returned }: PlacedMail): Promise<string> {
  const { messageId, from, date, subject, text, fullText, files } = mail;
  const digest = createHash('sha256');
  if (messageId === null) for await (const piece of await source.open()) digest.update(piece);
  else {
    const words = [date ?? '', subject ?? '', fullText ?? text].map((part) =>
      part.replaceAll(/\s+/g, ' ').trim(),
    );
    const authenticity = authentication === 'failed' ? 'not believed' : '';
    digest.update(JSON.stringify([messageId, from?.address ?? '', authenticity, ...words]));
    if (returned) digest.update(returned.message.id);
    for (const { name, content } of files) {
      digest.update(JSON.stringify([name, content.byteLength])).update(content);
    }
  }
  return `mail:${digest.digest('hex')}`;
}
