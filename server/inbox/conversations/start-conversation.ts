import { v7 as uuidv7 } from 'uuid';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import {
  LOCKED_COLUMNS,
  LOCKED_JOINS,
  type LockedConversation,
  type LockedRow,
  lockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';

type ConversationDraft = {
  workspaceId: string;
  /** Id of the new conversation, if it is already known. */
  id?: string | undefined;
  channel: Channel;
  contactId: string;
  /** True if the contact's address is unverified. */
  contactClaimed?: boolean;
  /** Email only, as is `mailboxId`. */
  subject?: string | null;
  mailboxId?: string | null;
  /** The provider's id of the thread, for channels with threads. */
  externalThreadId?: string | null;
  /** The account at the provider, for channels with accounts. */
  channelAccountId?: string | null;
  /** A teammate of the workspace. */
  assigneeId?: string | null;
  /** A contact writes the first message in person, and waits from now on. */
  isWaiting?: boolean;
  /** True turns the AI agent off for it. */
  aiAgentSilenced?: boolean;
  /** A test conversation with the AI agent. Emits no events. */
  isTest?: boolean;
};

/**
 * Inserts an open conversation and returns it locked, in one round trip. If the contact is linked to the owner of their
 * claimed address, the owner becomes its contact. The caller writes timeline, events and other effects with `persistChange`.
 */
export async function startConversation(
  tx: SqlDb,
  draft: ConversationDraft,
  now: Date,
): Promise<LockedConversation> {
  const { workspaceId, id = uuidv7(), channel, contactId, contactClaimed = false, subject = null } = draft;
  const { mailboxId = null, externalThreadId = null, channelAccountId = null, isTest = false } = draft;
  const { assigneeId = null, isWaiting = false, aiAgentSilenced = false } = draft;
  const waitingSince = isWaiting ? now : null;
  const [row] = await tx.$queryRaw<LockedRow[]>`
    with c as (
      insert into conversations (id, workspace_id, channel, subject, contact_id, contact_claimed, linked_from_id,
        mailbox_id, external_thread_id, channel_account_id, assignee_id, assigned_at, ai_agent_silenced, is_test,
        last_inbound_at, waiting_since, status_changed_at, last_message_at, created_at, updated_at)
      select ${id}::uuid, ${workspaceId}::uuid, ${channel}::channel, ${subject}::text,
        coalesce(l.owner_id, ${contactId}::uuid), ${contactClaimed}::boolean and l.owner_id is null, l.contact_id,
        ${mailboxId}::uuid, ${externalThreadId}::text, ${channelAccountId}::uuid,
        ${assigneeId}::uuid, ${assigneeId && now}::timestamptz, ${aiAgentSilenced}::boolean, ${isTest}::boolean,
        ${waitingSince}::timestamptz, ${waitingSince}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from (select) as one
      left join contact_links l on l.contact_id = ${contactId}::uuid
      returning *
    )
    select ${LOCKED_COLUMNS} from c ${LOCKED_JOINS}`;
  if (!row) throw new Error('The new conversation has no workspace.');
  return lockedConversation(row);
}
