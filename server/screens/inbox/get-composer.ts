import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/db.ts';
import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import type { SendWarning } from '#server/inbox/channels/outgoing-message.ts';
import { listCommands } from '#server/inbox/commands/list-commands.ts';
import { ARGUMENTS_MAX_LENGTH } from '#server/inbox/commands/run-command.ts';
import { NOTE_MAX_LENGTH, notesProblem } from '#server/inbox/conversations/note-terms.ts';
import { ATTACHMENTS_MAX } from '#server/inbox/files/attachment-rules.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { listMentionable } from '#server/screens/inbox/list-mentionable.ts';
import { listPendingReplies } from '#server/screens/inbox/list-pending-replies.ts';
import type { ComposerView } from '#server/screens/inbox/messages-views.ts';
import { calledAs, contactOf } from '#server/screens/inbox/name-conversations.ts';
import { COPIES_COLUMNS, type Copied, suggestCopies } from '#server/screens/inbox/suggest-copies.ts';
import { isAdmin, VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

/**
 * All that a teammate's composer needs for a conversation, or null when the workspace has none of this id. Asked at the
 * same time; nothing here grows with the conversation.
 */
export async function getComposer(
  reads: ReadDb,
  { workspace, user, conversationId }: { workspace: MemberWorkspace; user: Teammate; conversationId: string },
): Promise<ComposerView | null> {
  if (!isUuid(conversationId)) return null;
  const { id: workspaceId, plan, role } = workspace;
  const [found, commands, mentionable, pending] = await Promise.all([
    findConversation(reads, { workspace, conversationId }),
    listCommands(reads, workspaceId),
    listMentionable(reads, { workspaceId, authorId: user.id }),
    listPendingReplies(reads, { workspaceId, conversationId, userId: user.id }),
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
      title: mergedInto.subject ?? calledAs(mergedInto.contact) ?? 'another conversation',
    },
    isClosed: conversation.status === 'closed',
    canSolve: conversation.status === 'open' || conversation.status === 'pending',
    channel: conversation.channel,
    contactName: calledAs(conversation.contact),
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

/** A row of `conversationStatement` as JSON. */
type Found = Copied & {
  status: ConversationStatus;
  mailboxId: string | null;
  channelAccountId: string | null;
  contact: Contact;
  mergedInto: { id: string; subject: string | null; contact: Contact } | null;
};

function conversationStatement({ workspaceId, id }: { workspaceId: string; id: string }): Prisma.Sql {
  return Prisma.sql`
    select c.channel, c.status, c.mailbox_id as "mailboxId", c.channel_account_id as "channelAccountId",
      ${contactOf('k')} as contact, ${COPIES_COLUMNS},
      case when i.id is not null then json_build_object('id', i.id, 'subject', i.subject,
        'contact', ${contactOf('ik')}) end as "mergedInto"
    from conversations c
    left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    left join conversations i on i.workspace_id = c.workspace_id and i.id = c.merged_into_id
    left join contacts ik on ik.workspace_id = i.workspace_id and ik.id = i.contact_id
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid`;
}

/** The conversation, and what would keep a reply in it from reaching the contact. */
async function findConversation(
  reads: ReadDb,
  { workspace, conversationId: id }: { workspace: MemberWorkspace; conversationId: string },
) {
  const { id: workspaceId, plan } = workspace;
  const conversation = await ask(
    reads,
    read(conversationStatement({ workspaceId, id }), ([found]: Found[]) => found ?? null),
  );
  if (!conversation) return null;
  const { channel, mailboxId, channelAccountId, contact } = conversation;
  const contactEmail = contact?.email ?? null;
  const warning = await CHANNELS[channel].warning(db(), {
    workspaceId,
    plan,
    mailboxId,
    contactEmail,
    conversationId: id,
    channelAccountId,
  });
  return { conversation, warning };
}

type Contact = Parameters<typeof calledAs>[0];

/** Owners change the plan; owners and admins add email domains and connect channels. */
function whereToMend(mend: SendWarning['mend'], role: MemberWorkspace['role']): string | null {
  if (mend === 'plan') return role === 'owner' ? '/settings/plan' : null;
  if (mend === null || !isAdmin(role)) return null;
  return mend === 'domain' ? '/settings/workspace' : '/settings/channels';
}
