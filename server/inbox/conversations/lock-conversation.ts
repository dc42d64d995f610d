import { validate as isUuid } from 'uuid';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import type { RawDb } from '#server/core/database/prepared.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationColumns,
  conversationRecord,
  conversationUrl,
  selectedConversation,
} from '#server/inbox/conversations/conversation-record.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** A conversation whose row this transaction has locked: its record, and what else the rules of a change need. */
export type LockedConversation = {
  id: string;
  workspaceId: string;
  /** The conversation as the API and events show it. */
  record: ConversationRecord;
  mailboxId: string | null;
  mergedIntoId: string | null;
  isTest: boolean;
  /** True when the AI agent is turned off for this conversation. */
  aiAgentSilenced: boolean;
  /** Setting of the workspace: whether the AI agent answers contacts. */
  aiAgentEnabled: boolean;
  /** Setting of the workspace: whether a reply assigns an unassigned conversation to its author. */
  assignOnReply: boolean;
};

/** Selects one conversation, and names the actor who wants to change it. */
type Which = {
  workspaceId: string;
  id: string;
  /** A workflow cannot see conversations from testing the AI agent. */
  actor?: Actor | undefined;
};

export type LockedRow = ConversationColumns & Omit<LockedConversation, 'record'>;

/** Selects a `LockedRow` from `c`, a row of `conversations` that this transaction has locked or inserted. */
export const LOCKED_COLUMNS = Prisma.sql`
  c.workspace_id as "workspaceId", c.mailbox_id as "mailboxId", c.merged_into_id as "mergedIntoId",
  c.is_test as "isTest", c.ai_agent_silenced as "aiAgentSilenced", w.ai_agent_enabled as "aiAgentEnabled",
  w.assign_on_reply as "assignOnReply", ${CONVERSATION_COLUMNS}`;
export const LOCKED_JOINS = Prisma.sql`join workspaces w on w.id = c.workspace_id ${CONVERSATION_JOINS}`;

/** Converts a row of `LOCKED_COLUMNS`. */
export function lockedConversation(row: LockedRow): LockedConversation {
  const { id, workspaceId, mailboxId, mergedIntoId, isTest } = row;
  const { aiAgentSilenced, aiAgentEnabled, assignOnReply } = row;
  const record = conversationRecord(selectedConversation(row));
  return {
    id,
    workspaceId,
    record,
    mailboxId,
    mergedIntoId,
    isTest,
    aiAgentSilenced,
    aiAgentEnabled,
    assignOnReply,
  };
}

/**
 * Locks a conversation's row, so that its changes follow one another, and reads it. One round trip, unless another
 * transaction changed the row while the statement waited for the lock.
 * @throws Refusal when the workspace has no such conversation, as far as the actor may know (decisions: conversations
 *   and contacts, 15)
 */
export async function lockConversation(tx: RawDb, which: Which): Promise<LockedConversation> {
  const { workspaceId, id, actor } = which;
  if (!isUuid(id)) throw notFound('The conversation');
  const [row] = await tx.$queryRaw<(LockedRow & { isCurrent: boolean })[]>`
    with c as (
      select *, xmin as version from conversations
      where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid
      for no key update
    )
    select ${LOCKED_COLUMNS}, c.version = (select xmin from conversations s where s.id = c.id) as "isCurrent"
    from c ${LOCKED_JOINS}`;
  if (!row || (actor?.kind === 'workflow' && row.isTest)) throw notFound('The conversation');
  // The locked row is the newest one, but tags, assignee and contact are those of before the wait: read them again.
  return row.isCurrent ? lockedConversation(row) : lockConversation(tx, which);
}

/**
 * Runs a change of one conversation in a transaction that has locked it.
 * @throws Refusal when there is no such conversation, or it was merged into another one (spec.md §3)
 */
export function withLockedConversation<T>(
  which: Which,
  work: (tx: Tx, conversation: LockedConversation) => Promise<T>,
): Promise<T> {
  return inTransaction(async (tx) => work(tx, refuseMerged(await lockConversation(tx, which), which.actor)));
}

/**
 * Refuses a conversation that was merged into another one. A workflow gets the URL of the other one, as it has no page that
 * leads there. Merging moves earlier merges along, so there is never a chain.
 */
export function refuseMerged<T extends { mergedIntoId: string | null }>(conversation: T, actor?: Actor): T {
  if (conversation.mergedIntoId === null) return conversation;
  const other =
    actor?.kind === 'workflow' ? conversationUrl(conversation.mergedIntoId) : 'the other conversation';
  const message = `This conversation was merged into another one. Use ${other} instead.`;
  throw invalid({ conversation: [message] });
}

/** The conversation that a contact's message or rating belongs to. */
export type TargetConversation = {
  /** The conversation itself, or the one that it was merged into. */
  conversation: LockedConversation;
  /** The conversation that the contact knows: the same one unless it was merged. Not locked. */
  known: KnownConversation;
};
type KnownConversation = { contactId: string | null; status: ConversationStatus; wasSolved: boolean };

/**
 * Locks the conversation that a contact's message or rating belongs to: the given one, or the one that it was merged
 * into (decisions: conversations and contacts, 3). Reads before it locks anything, as a merge locks both in the order of
 * their ids; then follows merges that were committed in between.
 * @throws Refusal when the workspace has no such conversation
 */
export async function lockTargetConversation(
  tx: RawDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<TargetConversation> {
  if (!isUuid(id)) throw notFound('The conversation');
  const [known] = await tx.$queryRaw<(KnownConversation & { mergedIntoId: string | null })[]>`
    select contact_id as "contactId", status::text as status, resolved_at is not null as "wasSolved",
      merged_into_id as "mergedIntoId"
    from conversations where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid`;
  if (!known) throw notFound('The conversation');
  let conversation = await lockConversation(tx, { workspaceId, id: known.mergedIntoId ?? id });
  while (conversation.mergedIntoId !== null) {
    conversation = await lockConversation(tx, { workspaceId, id: conversation.mergedIntoId });
  }
  return { conversation, known };
}
