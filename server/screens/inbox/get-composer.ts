import { validate as isUuid } from 'uuid';
import { contactOf } from '#server/contacts/contact-record.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { db } from '#server/core/database/prisma.ts';
import { asciiEmail, shownEmail } from '#server/core/email-domain.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type {
  Channel,
  ConversationStatus,
  MessageDirection,
  Removal,
} from '#server/generated/prisma/enums.ts';
import type { SendWarning } from '#server/inbox/channels/channel-adapter.ts';
import { sendWarning } from '#server/inbox/channels/channels.ts';
import { leadsBack } from '#server/inbox/channels/email/leads-back.ts';
import { judgedMailbox, type MailboxRow, mailboxOf } from '#server/inbox/channels/email/mailboxes.ts';
import { listCommands } from '#server/inbox/commands/refuse-command.ts';
import { ARGUMENTS_MAX_LENGTH } from '#server/inbox/commands/run-command.ts';
import { NOTE_MAX_LENGTH, notesProblem } from '#server/inbox/conversations/add-note.ts';
import { reasonToSee, type SeenColumns } from '#server/inbox/conversations/visible-conversations.ts';
import { ATTACHMENTS_MAX } from '#server/inbox/files/content-types.ts';
import { DRAFT_COLUMN, type DraftColumn, draftView } from '#server/inbox/messages/reply-drafts.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { COPIES_MAX, FORMATTED_CHANNELS } from '#server/inbox/messages/schedule-reply.ts';
import { listSuggestedReplies } from '#server/inbox/messages/suggested-replies.ts';
import type { ComposerView, MailboxChoice, OtherAuthor } from '#server/screens/inbox/composer-views.ts';
import { mailboxChoices } from '#server/screens/inbox/list-mailboxes.ts';
import { listMentionable } from '#server/screens/inbox/list-mentionable.ts';
import { listPendingReplies } from '#server/screens/inbox/list-pending-replies.ts';
import { calledAs } from '#server/screens/inbox/name-conversations.ts';
import { isAdmin, VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

/**
 * Returns the values for the composer of a conversation, or null when the workspace has no such conversation.
 * The statements run together, and their cost does not grow with the conversation.
 */
export async function getComposer(
  reads: ReadDb,
  { workspace, user, conversationId }: { workspace: MemberWorkspace; user: Teammate; conversationId: string },
): Promise<ComposerView | null> {
  if (!isUuid(conversationId)) return null;
  const { id: workspaceId, plan, role } = workspace;
  const [found, commands, mentionable, pending, suggested] = await Promise.all([
    findConversation(reads, { workspace, conversationId }),
    listCommands(reads, workspaceId),
    listMentionable(reads, { workspaceId, authorId: user.id }),
    listPendingReplies(reads, { workspaceId, conversationId, userId: user.id }),
    listSuggestedReplies(reads, { workspaceId, conversationId }),
  ]);
  if (!found) return null;
  const { conversation, warning } = found;
  const { mergedInto, mailbox } = conversation;
  const readOnly =
    role === 'viewer' ? VIEWERS_READ_ONLY : conversation.removal && READ_ONLY[conversation.removal];
  const mayResend = readOnly === null && mergedInto === null;
  // A test workspace has no account whose templates could be listed.
  const canSendTemplates =
    conversation.channel === 'whatsapp' && warning?.fix !== 'channel' && !workspace.isTest;
  const noNotes = notesProblem(plan);
  return {
    workspaceId,
    conversationId,
    you: { id: user.id, name: user.name },
    isAdmin: isAdmin(role),
    readOnly,
    mergedInto: mergedInto && {
      id: mergedInto.id,
      title: mergedInto.subject ?? calledAs(mergedInto.contact) ?? 'another conversation',
    },
    isClosed: conversation.status === 'closed',
    canSolve: conversation.status === 'open' || conversation.status === 'pending',
    channel: conversation.channel,
    contactName: calledAs(conversation.contact),
    ...mailboxesOf(conversation),
    canFormat: FORMATTED_CHANNELS.has(conversation.channel),
    replyMaxLength: REPLY_MAX_LENGTH,
    filesMax: ATTACHMENTS_MAX,
    otherAuthor: otherAuthorOf(conversation),
    replyCc: suggestCopies(conversation),
    replyTo: {
      asked: conversation.replyTo.map((address) => shownEmail(address)),
      isUsed: conversation.usesReplyTo,
    },
    canSendTemplates,
    replyWarning: warning && { sentence: warning.sentence, href: settingsPage(warning.fix, role) },
    resend: {
      reply: !mayResend ? 'none' : warning === null ? 'all' : canSendTemplates ? 'template' : 'none',
      forward: mayResend && mailbox && judgedMailbox(mailbox).canSend ? 'all' : 'none',
    },
    noteMaxLength: NOTE_MAX_LENGTH,
    notesProblem: noNotes ? { sentence: noNotes, href: settingsPage('plan', role) } : null,
    commands,
    commandDetailsMaxLength: ARGUMENTS_MAX_LENGTH,
    mentionable: mentionable.map(({ visibility, ...teammate }) => ({
      ...teammate,
      sees: reasonToSee(visibility, conversation.seen) !== null,
    })),
    pending,
    draft: draftView(workspaceId, conversation.draft),
    suggested,
  };
}

const READ_ONLY: Record<Removal, string> = {
  spam: 'You can’t reply to spam. Move the conversation back to the inbox first.',
  deleted: 'You can’t reply to a deleted conversation. Restore it first.',
};

type Found = Copied & {
  status: ConversationStatus;
  removal: Removal | null;
  mailboxId: string | null;
  replyTo: string[];
  usesReplyTo: boolean;
  /** The mailbox that sends emails of this conversation. */
  mailbox: MailboxRow | null;
  channelAccountId: string | null;
  /** Of the conversation that this one was merged into, if any. */
  seen: SeenColumns;
  contact: Contact;
  draft: DraftColumn;
  mergedInto: { id: string; subject: string | null; contact: Contact } | null;
};

function conversationStatement({ workspaceId, id }: { workspaceId: string; id: string }): Prisma.Sql {
  return Prisma.sql`
    select c.channel, c.status, c.removal, c.mailbox_id as "mailboxId", c.reply_to as "replyTo",
      c.uses_reply_to as "usesReplyTo", c.channel_account_id as "channelAccountId",
      ${contactOf('k')} as contact, k.claimed_email as "claimedEmail", ${COPIES_COLUMNS}, ${DRAFT_COLUMN} as draft,
      (select to_json(b) from (${mailboxOf({ workspaceId, mailboxId: Prisma.sql`c.mailbox_id` })}) b) as mailbox,
      (select json_build_object('assigneeId', t.assignee_id, 'teamId', t.team_id, 'mailboxId', t.mailbox_id,
        'channelAccountId', t.channel_account_id, 'channel', t.channel)
        from conversations t where t.workspace_id = c.workspace_id and t.id = coalesce(c.merged_into_id, c.id)) as seen,
      case when i.id is not null then json_build_object('id', i.id, 'subject', i.subject,
        'contact', ${contactOf('ik')}) end as "mergedInto"
    from conversations c
    left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    left join conversations i on i.workspace_id = c.workspace_id and i.id = c.merged_into_id
    left join contacts ik on ik.workspace_id = i.workspace_id and ik.id = i.contact_id
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid`;
}

/** Returns the conversation and the reason why a reply would not reach the contact, if any. */
async function findConversation(
  reads: ReadDb,
  { workspace, conversationId: id }: { workspace: MemberWorkspace; conversationId: string },
) {
  const { id: workspaceId, plan, isTest } = workspace;
  const conversation = await runRead(
    reads,
    conversationStatement({ workspaceId, id }),
    ([found]: Found[]) => found ?? null,
  );
  if (!conversation) return null;
  const { channel, mailboxId, channelAccountId, contact, claimedEmail } = conversation;
  const contactEmail = contact?.email ?? claimedEmail;
  const warning = await sendWarning(channel, db(), {
    isTest,
    workspaceId,
    plan,
    mailboxId,
    contactEmail,
    conversationId: id,
    channelAccountId,
  });
  return { conversation, warning };
}

/** Returns the mailboxes to choose from. Without its own mailbox, a conversation uses the default one. */
function mailboxesOf({
  channel,
  mailboxId,
  mailboxes,
}: Found): Pick<ComposerView, 'mailboxes' | 'mailboxId'> {
  if (channel !== 'email') return { mailboxes: [], mailboxId: null };
  return { mailboxes, mailboxId: mailboxId ?? mailboxes.find(({ isDefault }) => isDefault)?.id ?? null };
}

type Contact = Parameters<typeof calledAs>[0];

/**
 * Returns the page where this role can fix the problem, or null. Owners change the plan; owners and admins
 * add email domains and connect channels.
 */
function settingsPage(fix: SendWarning['fix'], role: MemberWorkspace['role']): string | null {
  if (fix === 'plan') return role === 'owner' ? '/settings/plan' : null;
  if (fix === null || !isAdmin(role)) return null;
  return fix === 'domain' ? '/settings/channels/email' : '/settings/channels';
}

/**
 * Returns the person other than the contact who wrote the newest message of a contact, if any. A person in copy is only
 * named until a teammate replies. After a merge, the next replies also go to the person who wrote last.
 */
function otherAuthorOf({ channel, newest, received }: Copied): OtherAuthor | null {
  if (!received?.otherName) return null;
  const { otherName: name, otherAddress, senderVerified, isMerged } = received;
  if (!isMerged && newest?.direction !== 'inbound') return null;
  const isReachable = channel === 'email' && otherAddress !== null && senderVerified !== false;
  return { name, address: isReachable ? shownEmail(otherAddress) : null, isMerged };
}

/** The columns that decide the suggested copies. */
type Copied = {
  channel: Channel;
  contact: { email: string | null } | null;
  claimedEmail: string | null;
  mailboxes: MailboxChoice[];
  /** The newest message written by a person. */
  newest: NewestMessage | null;
  /** The newest message written by a contact or a person in copy. */
  received: NewestMessage | null;
};

type NewestMessage = {
  direction: MessageDirection;
  mailTo: string[];
  cc: string[];
  senderVerified: boolean | null;
  /** Both null if the contact or a teammate wrote it. */
  otherName: string | null;
  otherAddress: string | null;
  isMerged: boolean;
};

/** Selects the newest message of `conversations c` that a person wrote. */
function newestMessage(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
  (select json_build_object('direction', m.direction, 'mailTo', m.mail_to, 'cc', m.cc, 'senderVerified', m.sender_verified,
      'otherName', case when m.direction = 'inbound' then m.author_name end,
      'otherAddress', case when m.author_name is not null then m.author_address end,
      'isMerged', m.author_name is not null and m.author_address is not null and exists (
        select from conversations x join contacts xk on xk.workspace_id = x.workspace_id and xk.id = x.contact_id
        where x.workspace_id = c.workspace_id and x.merged_into_id = c.id and (m.author_address in (xk.email, xk.claimed_email)
          or exists (select from contact_identities xi where xi.workspace_id = xk.workspace_id and xi.contact_id = xk.id
            and xi.channel = 'email' and xi.external_id = m.author_address))))
    from messages m where m.conversation_id = c.id and not m.automatic and ${condition}
    order by m.created_at desc, m.id desc limit 1)`;
}

/** Columns of `conversations c` with the mailboxes and the newest messages. */
const COPIES_COLUMNS = Prisma.sql`
  ${mailboxChoices(Prisma.raw('c.workspace_id'))} as mailboxes,
  ${newestMessage(Prisma.sql`m.direction <> 'forward' and m.author_kind in ('contact', 'teammate')`)} as newest,
  ${newestMessage(Prisma.sql`m.direction = 'inbound' and m.author_kind = 'contact'`)} as received`;

/**
 * Returns the suggested copies of a teammate's next email: all recipients of the newest email in either
 * direction, and its author if that is a person in copy. Suggests no one if the author's conversation was merged into this one,
 * because the people of one conversation must not read the other. Excludes the contact, the workspace's mailboxes, generated reply and bounce addresses, and Bcc
 * recipients. When no recipient is ours, the email was forwarded to us, and the address in To is the
 * forwarder's, which gets no copy. Ignores messages of machines, workflows, flows and the AI agent. An
 * unverified sender suggests no one, so that a stranger cannot choose who reads our replies.
 *
 * Only the composer uses this. Workflows and the AI agent reply to the contact only, as no teammate has
 * checked the other readers.
 * @returns lowercase addresses without duplicates, up to the maximum of a reply
 */
function suggestCopies({ channel, contact, claimedEmail, mailboxes, newest }: Copied): string[] {
  if (channel !== 'email' || !newest || newest.senderVerified === false) return [];
  const { direction, mailTo, cc, otherAddress, isMerged, senderVerified } = newest;
  if (isMerged) return [];
  const author = otherAddress !== null && senderVerified === true ? [otherAddress] : [];
  const isOurs = (address: string) => leadsBack(address, mailboxes);
  const isForwarded = direction === 'inbound' && ![...mailTo, ...cc].some(isOurs);
  // To of a reply is the Reply-To of the contact, which gets the next reply anyway.
  const hasOnlyCc = isForwarded || direction === 'outbound';
  // Mails received before addresses were converted can have their domain in Unicode.
  const named = new Set([...author, ...(hasOnlyCc ? cc : [...mailTo, ...cc])].map(asciiEmail));
  return [...named]
    .filter((address) => address !== (contact?.email ?? claimedEmail) && !isOurs(address))
    .slice(0, COPIES_MAX)
    .map(shownEmail);
}
