import { validate as isUuid } from 'uuid';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus, Removal } from '#server/generated/prisma/enums.ts';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationColumns,
  conversationRecord,
  conversationUrl,
} from '#server/inbox/conversations/conversation-record.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** A conversation whose row the transaction has locked: its record and the other values that changes depend on. */
export type LockedConversation = {
  id: string;
  workspaceId: string;
  record: ConversationRecord;
  mailboxId: string | null;
  mergedIntoId: string | null;
  removal: Removal | null;
  /** A pending conversation reopens at this time. Null: it is not snoozed. */
  snoozedUntil: Date | null;
  isTest: boolean;
  /** Its contact and texts were removed by the retention rule. */
  isAnonymized: boolean;
  /** Email: Reply-To of the contact's newest email, and whether replies are sent there. */
  replyTo: string[];
  usesReplyTo: boolean;
  /** True if the AI agent is turned off for this conversation. */
  aiAgentSilenced: boolean;
  /** Workspace setting: the AI agent answers contacts. */
  aiAgentEnabled: boolean;
  /** Workspace setting: a reply assigns an unassigned conversation to its author. */
  assignOnReply: boolean;
  /** Kinds of the triggers of the workspace’s flows, apart from new conversations. */
  flowTriggers: string[];
};

type Which = {
  workspaceId: string;
  id: string;
  /** The caller. Workflows and programs do not find tests of the AI agent, spam and deleted conversations, and those merged into them. */
  actor?: Actor | undefined;
};

export type LockedRow = ConversationColumns & Omit<LockedConversation, 'record'>;

/** Selects a `LockedRow` from `c`, a row of `conversations` that this transaction has locked or inserted. */
export const LOCKED_COLUMNS = Prisma.sql`
  c.workspace_id as "workspaceId", c.mailbox_id as "mailboxId", c.merged_into_id as "mergedIntoId",
  c.removal, c.snoozed_until as "snoozedUntil", c.is_test as "isTest", c.anonymized_at is not null as "isAnonymized", c.reply_to as "replyTo", c.uses_reply_to as "usesReplyTo", c.ai_agent_silenced as "aiAgentSilenced", w.ai_agent_enabled as "aiAgentEnabled",
  w.assign_on_reply as "assignOnReply",
  array(
    select distinct f.trigger from flows f
    where f.workspace_id = c.workspace_id and f.enabled and f.trigger <> 'conversation_started'
  ) as "flowTriggers", ${CONVERSATION_COLUMNS}`;
export const LOCKED_JOINS = Prisma.sql`join workspaces w on w.id = c.workspace_id ${CONVERSATION_JOINS}`;

/** Converts a row of `LOCKED_COLUMNS`. */
export function lockedConversation(row: LockedRow): LockedConversation {
  return { ...row, record: conversationRecord(row) };
}

/**
 * Locks and reads a conversation. Needs one round trip, unless another transaction changed the row while the statement
 * waited for the lock.
 * @throws Refusal when the conversation does not exist, or the actor may not see it (docs/rulings.md 3.15, 3.34)
 */
export async function lockConversation(tx: SqlDb, which: Which): Promise<LockedConversation> {
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
  if (!row || (callsApi(actor) && (await isHiddenFromApi(tx, row)))) throw notFound('The conversation');
  // The locked row is current, but tags, assignee and contact were read before the wait: read them again.
  if (!row.isCurrent) return lockConversation(tx, which);
  return lockedConversation(row);
}

/** A conversation that was merged into a spam or deleted one was removed with it. */
async function isHiddenFromApi(
  tx: SqlDb,
  { isTest, removal, mergedIntoId }: Pick<LockedRow, 'isTest' | 'removal' | 'mergedIntoId'>,
): Promise<boolean> {
  if (isTest || removal !== null) return true;
  if (mergedIntoId === null) return false;
  const removed = await tx.$queryRaw<unknown[]>`
    select from conversations where id = ${mergedIntoId}::uuid and removal is not null`;
  return removed.length > 0;
}

/**
 * Locks a conversation that the actor changes.
 * @throws Refusal when the conversation does not exist, was merged (docs/spec.md §3), or is spam or deleted
 */
export async function lockForChange(tx: SqlDb, which: Which): Promise<LockedConversation> {
  return refuseReadOnly(await lockConversation(tx, which), which.actor);
}

/**
 * Runs `work` in a transaction that has locked the conversation.
 * @throws Refusal when the conversation does not exist, was merged (docs/spec.md §3), or is spam or deleted
 */
export function withLockedConversation<T>(
  which: Which,
  work: (tx: SqlDb, conversation: LockedConversation) => Promise<T>,
): Promise<T> {
  return sqlTransaction(async (tx) => work(tx, await lockForChange(tx, which)));
}

/**
 * Returns the conversation.
 * @throws Refusal when it is spam, deleted, or was merged into another one. An API caller gets the URL of that
 * conversation, because it has no page with a link. A merge also moves earlier merges, so there is never a chain.
 */
export function refuseReadOnly<T extends { mergedIntoId: string | null; removal: Removal | null }>(
  conversation: T,
  actor?: Actor,
): T {
  if (conversation.removal !== null) throw invalid({ conversation: [REMOVED[conversation.removal]] });
  if (conversation.mergedIntoId === null) return conversation;
  const other = callsApi(actor) ? conversationUrl(conversation.mergedIntoId) : 'the other conversation';
  const message = `This conversation was merged into another one. Use ${other} instead.`;
  throw invalid({ conversation: [message] });
}

/** Returns whether a workflow or a program makes the change, through an API. */
function callsApi(actor: Actor | undefined): boolean {
  return actor?.kind === 'workflow' || actor?.kind === 'program';
}

const REMOVED: Record<Removal, string> = {
  spam: 'This conversation is marked as spam. Move it back to the inbox first.',
  deleted: 'This conversation was deleted. Restore it first.',
};

/** The conversation that receives a contact's message or rating. */
export type TargetConversation = {
  /** The conversation, or the one that it was merged into. */
  conversation: LockedConversation;
  /** The conversation before merges, as the contact knows it. Not locked. */
  known: KnownConversation;
};
type KnownConversation = { contactId: string | null; status: ConversationStatus; wasSolved: boolean };

/**
 * Locks the conversation that receives a contact's message or rating: the given one, or the one that it was merged into
 * (docs/rulings.md 3.3). Reads `merged_into_id` without a lock first, because a merge locks both conversations in the
 * order of their ids. Then follows merges that were committed in between.
 * @throws Refusal when the conversation does not exist
 */
export async function lockTargetConversation(
  tx: SqlDb,
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
