import { randomUUID } from 'node:crypto';
import { db } from '#server/ground/db.ts';
import { log } from '#server/ground/log.ts';
import { sendMail } from '#server/ground/mail/send-mail.ts';
import { findMailbox } from '#server/inbox/channels/email/find-mailbox.ts';
import { ratingUrl } from '#server/inbox/ratings/rating-link.ts';
import { ratingMail } from '#server/inbox/ratings/rating-mail.ts';
import { contactName } from '#server/people/contacts/contact-record.ts';

/**
 * Asks the contact of an e-mail conversation for a rating, once in its life: not when it was reopened, merged or rated
 * meanwhile, is a test or has no address, nor where the workspace does not ask or no mail can leave. It is marked
 * before anything is sent: two workers ask once, and a crash in between costs that one mail.
 */
export async function askForRating(conversationId: string): Promise<void> {
  const found = await findAskable(conversationId);
  const email = found?.contact?.email;
  if (!found?.contact || !email) return;
  const { workspaceId, mailboxId, mailbox, workspace, contact, subject } = found;
  const from = mailbox ?? workspace.mailboxes[0];
  if (!from || !(await findMailbox(db(), { workspaceId, mailboxId }))?.canSend) return;
  if (!(await markAsked(conversationId))) return;
  const name = contactName(contact);
  const what = { workspaceId, conversationId };
  const mail = ratingMail({
    contactName: name,
    from: from.name,
    subject,
    urlOf: (score) => ratingUrl(what, score),
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  try {
    await sendMail({
      from,
      to: { name: name ?? '', address: email },
      ...mail,
      messageId: `<rating.${randomUUID()}@${domain}>`,
      references: found.messages.flatMap(({ externalId }) => externalId ?? []),
      isAutomatic: true,
    });
    log().info({ conversationId }, 'rating.asked');
  } catch (error) {
    log().warn({ err: error, conversationId }, 'rating.not_asked');
  }
}

function findAskable(id: string) {
  const mailbox = { select: { address: true, name: true } };
  return db().conversation.findFirst({
    where: {
      id,
      channel: 'email',
      status: { in: ['solved', 'closed'] },
      isTest: false,
      mergedIntoId: null,
      ratingAskedAt: null,
      ratings: { none: {} },
      workspace: { askForRating: true, deletedAt: null },
    },
    select: {
      workspaceId: true,
      mailboxId: true,
      subject: true,
      contact: { select: { email: true, firstName: true, lastName: true } },
      mailbox,
      workspace: { select: { mailboxes: { ...mailbox, where: { isDefault: true } } } },
      // The newest mail of the thread, so that mail programs show the question beneath it.
      messages: {
        select: { externalId: true },
        where: { externalId: { startsWith: '<' } },
        orderBy: { createdAt: 'desc' },
        take: 1,
      },
    },
    relationLoadStrategy: 'join',
  });
}

/** Whether it is for this call to ask: the state is looked at once more, and of any number at once one wins. */
async function markAsked(id: string): Promise<boolean> {
  const marked = await db().$executeRaw`
    update conversations set rating_asked_at = now()
    where id = ${id}::uuid and rating_asked_at is null and status in ('solved', 'closed') and merged_into_id is null`;
  return marked === 1;
}
