import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Db } from '#server/ground/db.ts';
import { ATTACHMENTS_MAX } from '#server/inbox/attachments/attachment-rules.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import type { SendWarning } from '#server/inbox/channels/outgoing-message.ts';
import { listCommands } from '#server/inbox/commands/list-commands.ts';
import { ARGUMENTS_MAX_LENGTH } from '#server/inbox/commands/run-command.ts';
import { listPendingReplies } from '#server/inbox/messages/list-pending-replies.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { copiesSelect, suggestCopies } from '#server/inbox/messages/suggest-copies.ts';
import type { ComposerView } from '#server/inbox/messages/views.ts';
import { listMentionable } from '#server/inbox/notes/list-mentionable.ts';
import { NOTE_MAX_LENGTH, notesProblem } from '#server/inbox/notes/note-terms.ts';
import { contactLabel } from '#server/people/contacts/contact-label.ts';
import { isManaging, VIEWERS_READ_ONLY } from '#server/people/teammates/roles.ts';
import type { MemberWorkspace } from '#server/people/teammates/signed-in.ts';

/**
 * All that a teammate's composer needs for a conversation, or null when the workspace has none of this id. Asked at the
 * same time; nothing here grows with the conversation.
 */
export async function getComposer(
  db: Db,
  { workspace, user, conversationId }: { workspace: MemberWorkspace; user: Teammate; conversationId: string },
): Promise<ComposerView | null> {
  if (!isUuid(conversationId)) return null;
  const { id: workspaceId, plan, role } = workspace;
  const [found, commands, mentionable, pending] = await Promise.all([
    findConversation(db, { workspace, conversationId }),
    listCommands(db, workspaceId),
    listMentionable(db, { workspaceId, authorId: user.id }),
    listPendingReplies(db, { workspaceId, conversationId, userId: user.id }),
  ]);
  if (!found) return null;
  const { conversation, warning } = found;
  const { mergedInto } = conversation;
  const noNotes = notesProblem(plan);
  return {
    workspaceId,
    conversationId,
    you: { id: user.id, name: user.name },
    readOnly: role === 'viewer' ? VIEWERS_READ_ONLY : null,
    mergedInto: mergedInto && {
      id: mergedInto.id,
      title: mergedInto.subject ?? nameOf(mergedInto.contact) ?? 'another conversation',
    },
    isClosed: conversation.status === 'closed',
    canSolve: conversation.status === 'open' || conversation.status === 'pending',
    channel: conversation.channel,
    contactName: nameOf(conversation.contact),
    replyMaxLength: REPLY_MAX_LENGTH,
    filesMax: ATTACHMENTS_MAX,
    replyCc: suggestCopies(conversation),
    canSendTemplates: conversation.channel === 'whatsapp' && warning?.mend !== 'channel',
    replyWarning: warning && { sentence: warning.sentence, href: whereToMend(warning.mend, role) },
    noteMaxLength: NOTE_MAX_LENGTH,
    notesProblem: noNotes ? { sentence: noNotes, href: whereToMend('plan', role) } : null,
    commands,
    commandDetailsMaxLength: ARGUMENTS_MAX_LENGTH,
    mentionable,
    pending,
  };
}

const contactSelect = {
  select: { id: true, firstName: true, lastName: true, email: true, phone: true },
} satisfies Prisma.ContactDefaultArgs;

/** The conversation, and what would keep a reply in it from reaching the contact. */
async function findConversation(
  db: Db,
  { workspace, conversationId: id }: { workspace: MemberWorkspace; conversationId: string },
) {
  const { id: workspaceId, plan } = workspace;
  const conversation = await db.conversation.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: {
      ...copiesSelect,
      status: true,
      mailboxId: true,
      channelAccountId: true,
      contact: contactSelect,
      mergedInto: { select: { id: true, subject: true, contact: contactSelect } },
    },
    relationLoadStrategy: 'join',
  });
  if (!conversation) return null;
  const { channel, mailboxId, channelAccountId, contact } = conversation;
  const contactEmail = contact?.email ?? null;
  const warning = await CHANNELS[channel].warning(db, {
    workspaceId,
    plan,
    mailboxId,
    contactEmail,
    conversationId: id,
    channelAccountId,
  });
  return { conversation, warning };
}

type Contact = Prisma.ContactGetPayload<typeof contactSelect> | null;

function nameOf(contact: Contact): string | null {
  return contact && contactLabel(contact);
}

/** Owners change the plan; owners and admins add email domains and connect channels. */
function whereToMend(mend: SendWarning['mend'], role: MemberWorkspace['role']): string | null {
  if (mend === 'plan') return role === 'owner' ? '/settings/plan' : null;
  if (mend === null || !isManaging(role)) return null;
  return mend === 'domain' ? '/settings/workspace' : '/settings/channels';
}
