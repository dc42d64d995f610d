import { validate as isUuid } from 'uuid';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import type { RawDb } from '#server/core/database/prepared.ts';
import { notFound } from '#server/core/errors.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Change } from '#server/inbox/conversations/changes.ts';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationColumns,
  conversationRecord,
  selectedConversation,
} from '#server/inbox/conversations/conversation-record.ts';
import type { LockedConversation, Which } from '#server/inbox/conversations/lock-conversation.ts';

/** What is known of a conversation whether it is locked or only seen: what rules of most changes ask for. */
export type KnownConversation = Pick<
  LockedConversation,
  'id' | 'workspaceId' | 'status' | 'priority' | 'channel' | 'mergedIntoId' | 'isTest' | 'assignee' | 'team'
> & { tags: string[] };

/** A conversation as it is now, not locked, with its record; what is written of it holds to its version. */
export type SeenConversation = KnownConversation & { version: string; record: ConversationRecord };

type Row = ConversationColumns &
  Pick<LockedConversation, 'workspaceId' | 'mergedIntoId' | 'isTest'> & { version: string };

/**
 * Reads a conversation without locking it; one round trip. Every change of a conversation, its tags included, writes its row,
 * and each transaction that does so leaves another `xmin` there: the version.
 * @throws Refusal when the workspace has no such conversation, as `lockConversation` does
 */
export async function seeConversation(
  db: RawDb,
  { workspaceId, id, actor }: Which,
): Promise<SeenConversation> {
  if (!isUuid(id)) throw notFound('The conversation');
  const [row] = await db.$queryRaw<Row[]>(Prisma.sql`
    select c.xmin::text as version, c.workspace_id as "workspaceId", c.merged_into_id as "mergedIntoId",
      c.is_test as "isTest", ${CONVERSATION_COLUMNS}
    from conversations c ${CONVERSATION_JOINS}
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid`);
  if (!row || (actor?.kind === 'workflow' && row.isTest)) throw notFound('The conversation');
  return { ...row, record: conversationRecord(selectedConversation(row)) };
}

/**
 * The record of a conversation that was seen as a change leaves it. Undefined when the change sets what only the database
 * knows more of: another teammate, team or contact.
 */
export function recordAfter(
  { record }: SeenConversation,
  { columns, addedTags = [] }: Change,
  now: Date,
): ConversationRecord | undefined {
  const { status, priority, resolvedAt } = columns;
  if (columns.assigneeId || columns.teamId || 'contactId' in columns) return undefined;
  return {
    ...record,
    ...(typeof status === 'string' ? { status } : {}),
    ...(typeof priority === 'string' ? { priority } : {}),
    tags: [...record.tags, ...addedTags],
    assignee: columns.assigneeId === null ? null : record.assignee,
    team: columns.teamId === null ? null : record.team,
    updated_at: timestamp(now),
    resolved_at: resolvedAt instanceof Date ? timestamp(resolvedAt) : record.resolved_at,
  };
}
