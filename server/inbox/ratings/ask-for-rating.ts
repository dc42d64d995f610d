import { randomUUID } from 'node:crypto';
import { contactName } from '#server/contacts/contact-record.ts';
import { SCORE_WORDS, SCORES, type Score } from '#server/contract/rating-scores.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { sql } from '#server/core/database/sql.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { isTemporary, sendMail } from '#server/core/mail/send-mail.ts';
import { sendWarning } from '#server/inbox/channels/channels.ts';
import {
  findMailbox,
  openMailbox,
  returnAddresses,
  sendingMailboxSelect,
} from '#server/inbox/channels/email/mailboxes.ts';
import { acceptsAutomatic } from '#server/inbox/channels/meta/message-window.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { messageIdOf } from '#server/inbox/messages/load-outgoing.ts';
import { outgoingMessage, queueSend } from '#server/inbox/messages/outgoing-message.ts';
import { ratingUrl, unsubscribeUrl } from '#server/inbox/ratings/rating-link.ts';

/**
 * Asks the contact of a conversation for a rating, once per conversation: by email, or with a message on other channels.
 * The web chat asks on its page. Does nothing if the conversation was reopened, merged or rated in the meantime or is a
 * test, if the workspace does not ask for ratings, if the contact cannot be reached, or if none of the contact's emails
 * was verified (docs/rulings.md 3.29), if one forbids automatic answers, or if a reply was not delivered and
 * none was sent after it. Marks the conversation before sending: parallel workers ask once, and a crash in
 * between loses the request.
 * @throws MailFault when the email cannot be sent now; a retry sends it
 */
export async function askForRating(conversationId: string): Promise<void> {
  const found = await findRatableConversation(conversationId);
  if (!found) return;
  if (found.channel === 'email') await askByMail(conversationId, found);
  else await askInChannel(conversationId, found);
}

/** Time in which a request that was not sent is unmarked, in ms. A conversation that stays marked is never asked again. */
const UNMARK_FOR_MS = 10 * 60_000;

type RatableConversation = NonNullable<Awaited<ReturnType<typeof findRatableConversation>>>;

async function askByMail(conversationId: string, found: RatableConversation): Promise<void> {
  const { workspaceId, mailboxId, mailbox, workspace, contact, subject } = found;
  if (!contact?.email || contact.ratingsDeclinedAt !== null) return;
  const from = openMailbox(mailbox ?? workspace.mailboxes[0] ?? null);
  if (!from || !(await findMailbox(db(), { workspaceId, mailboxId }))?.canSend) return;
  if (!(await consumeLimit('automatic_mail', contact.email)).allowed) return;
  if (!(await inTransaction((tx) => markAsked(tx, conversationId)))) return;
  const name = contactName(contact);
  const what = { workspaceId, conversationId };
  const mail = ratingMail({
    contactName: name,
    from: from.name,
    subject,
    urlOf: (score) => ratingUrl(what, score),
    unsubscribeUrl: unsubscribeUrl(what),
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  try {
    await sendMail({
      workspaceId,
      from: { name: from.name, address: from.address },
      to: { name: name ?? '', address: contact.email },
      ...mail,
      messageId: `<rating.${randomUUID()}@${domain}>`,
      references: found.messages.flatMap(messageIdOf),
      autoSubmitted: 'auto-replied',
      unsubscribeUrl: unsubscribeUrl(what),
      ...returnAddresses(from, { conversationId, messageId: null }),
      signature: from.dkim,
    });
    log().info({ conversationId }, 'rating.asked');
  } catch (error) {
    if (isTemporary(error)) {
      await retryWhileDatabaseAway(() => markNotAsked(conversationId), UNMARK_FOR_MS);
      // Only emails that were sent count. Otherwise retries would soon use up the limit.
      await consumeLimit('automatic_mail', contact.email, -1);
      throw error;
    }
    log().warn({ err: error, conversationId }, 'rating.not_asked');
  }
}

/** Adds a message to the conversation that a job sends. Does nothing if the channel would not deliver it. */
async function askInChannel(conversationId: string, found: RatableConversation): Promise<void> {
  const { workspaceId, channel, workspace, contact, mailboxId, channelAccountId } = found;
  const { plan, name, testOfId } = workspace;
  const contactEmail = contact?.email ?? null;
  const context = {
    isTest: testOfId !== null,
    workspaceId,
    plan,
    mailboxId,
    contactEmail,
    conversationId,
    channelAccountId,
  };
  if (await sendWarning(channel, db(), context)) return;
  if (!(await acceptsAutomatic(db(), { channel, conversationId }))) return;
  const isAsked = await inTransaction(async (tx) => {
    await lockConversation(tx, { workspaceId, id: conversationId });
    if (!(await markAsked(tx, conversationId))) return false;
    const { message, insert } = outgoingMessage({
      workspaceId,
      conversationId,
      actor: { kind: 'automatic' },
      content: ratingMessage(name, ratingUrl({ workspaceId, conversationId })),
      sendStatus: 'queued',
      now: new Date(),
    });
    await tx.$executeRaw(insert);
    await queueSend(tx, message.id, { channel });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return true;
  });
  if (isAsked) log().info({ conversationId, channel }, 'rating.asked');
}

function findRatableConversation(id: string) {
  const mailbox = { select: sendingMailboxSelect };
  return db().conversation.findFirst({
    where: {
      id,
      channel: { not: 'webchat' },
      status: { in: ['solved', 'closed'] },
      isTest: false,
      mergedIntoId: null,
      removal: null,
      ratingAskedAt: null,
      ratings: { none: {} },
      workspace: { askForRating: true, deletedAt: null },
      AND: [
        // Skip conversations with a person's email that forbids automatic answers (docs/rulings.md 3.20).
        { messages: { none: { forbidsAnswers: true, automatic: false } } },
        // Skip conversations in which only machines wrote.
        {
          OR: [
            { messages: { none: { automatic: true } } },
            { messages: { some: { direction: 'inbound', automatic: false } } },
          ],
        },
        // An unverified email may be forged. A message with an author's name is not from the contact.
        {
          OR: [
            { channel: { not: 'email' } },
            { messages: { none: { direction: 'inbound' } } },
            {
              messages: {
                some: { direction: 'inbound', automatic: false, authorName: null, senderVerified: true },
              },
            },
          ],
        },
      ],
    },
    select: {
      workspaceId: true,
      channel: true,
      channelAccountId: true,
      mailboxId: true,
      subject: true,
      contact: { select: { email: true, firstName: true, lastName: true, ratingsDeclinedAt: true } },
      mailbox,
      workspace: {
        select: {
          name: true,
          plan: true,
          testOfId: true,
          mailboxes: { ...mailbox, where: { isDefault: true } },
        },
      },
      // The newest email of the thread: the request is a reply to it, so email programs show both together.
      messages: {
        select: { externalId: true, mailReferences: { select: { messageIdHeader: true }, take: 1 } },
        where: {
          direction: { not: 'forward' },
          OR: [{ externalId: { startsWith: '<' } }, { mailReferences: { some: {} } }],
        },
        orderBy: { createdAt: 'desc' },
        take: 1,
      },
    },
    relationLoadStrategy: 'join',
  });
}

/**
 * Marks the conversation as asked, if it is still ratable and its last reply was sent: otherwise the contact may not have got the answer.
 * Returns true for exactly one of several parallel calls.
 */
async function markAsked(tx: Tx, id: string): Promise<boolean> {
  const marked = await tx.$executeRaw`
    update conversations c set rating_asked_at = now()
    where id = ${id}::uuid and rating_asked_at is null and status in ('solved', 'closed') and merged_into_id is null
      and removal is null and not exists (
        select from messages m
        where m.conversation_id = c.id and m.direction = 'outbound' and m.author_kind <> 'automatic'
          and m.send_status in ('failed', 'held_for_paywall') and m.failure_dismissed_at is null
          and not exists (
            select from messages later
            where later.conversation_id = c.id and later.direction = 'outbound' and later.author_kind <> 'automatic'
              and later.send_status = 'sent' and later.created_at > m.created_at))`;
  return marked === 1;
}

function markNotAsked(id: string): Promise<number> {
  return sql().$executeRaw`update conversations set rating_asked_at = null where id = ${id}::uuid`;
}

type RatingMailContent = {
  contactName: string | null;
  /** Name of the mailbox. */
  from: string;
  subject: string | null;
  urlOf: (score: Score) => string;
  unsubscribeUrl: string;
};

/** Returns the email that asks for a rating, with the best score first. */
function ratingMail({ contactName, from, subject, urlOf, unsubscribeUrl }: RatingMailContent): {
  subject: string;
  text: string;
} {
  const about =
    subject === null ? 'Your conversation with us' : `Your conversation with us about “${subject}”`;
  const choices = SCORES.toReversed().map((score) => `${score} – ${SCORE_WORDS[score]}\n${urlOf(score)}`);
  const paragraphs = [
    contactName === null ? 'Hello,' : `Hello ${contactName},`,
    `${about} has been solved. How did we do? Choose a rating; you can add a comment before you send it.`,
    ...choices,
    'Is something still not right? Just reply to this email.',
    from,
    `No more emails like this one:\n${unsubscribeUrl}`,
  ];
  return {
    subject: subject === null ? 'How did we do?' : `How did we do with “${subject}”?`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

function ratingMessage(workspaceName: string, url: string): string {
  return `Your conversation with ${workspaceName} has been solved. How did we do? Rate it here: ${url}`;
}
