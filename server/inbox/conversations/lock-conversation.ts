import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import type { Channel, ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** A conversation as it is while its row is locked: what rules of a change ask for. */
export type LockedConversation = {
  id: string;
  workspaceId: string;
  status: ConversationStatus;
  priority: Priority;
  channel: Channel;
  contactId: string | null;
  mailboxId: string | null;
  mergedIntoId: string | null;
  isTest: boolean;
  /** It was solved at least once, whatever its status is now. */
  wasSolved: boolean;
  assignee: Teammate | null;
  team: { id: string; name: string } | null;
  /** The workspace's setting: a reply takes an unassigned conversation. */
  assignOnReply: boolean;
  /** The AI agent stays out of it. */
  aiAgentSilenced: boolean;
  /** The workspace's setting: the AI agent answers contacts. */
  aiAgentEnabled: boolean;
};

/** A conversation as someone asks for it. */
export type Which = {
  workspaceId: string;
  id: string;
  /** Who wants to change it. To a workflow a conversation from testing the AI agent does not exist. */
  actor?: Actor | undefined;
};

/**
 * Locks a conversation's row so that changes to it follow one another; one round trip.
 * @throws Refusal when the workspace has no such conversation, as far as the actor may know (decisions: conversations
 * and
 *   contacts, 15)
 */
export async function lockConversation(tx: Tx, which: Which): Promise<LockedConversation> {
  const { workspaceId, id, actor } = which;
  if (!isUuid(id)) throw notFound('The conversation');
  // The row is locked before anything is joined to it: a statement that waited for it sees the assignee and the team
  // that it has by then, where a join would have kept those of before, and found no one.
  const [row] = await tx.$queryRaw<{ conversation: LockedConversation; isWhole: boolean }[]>`
    with c as (
      select * from conversations where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid
      for no key update
    )
    select json_build_object(
      'id', c.id, 'workspaceId', c.workspace_id, 'status', c.status, 'priority', c.priority,
      'channel', c.channel, 'contactId', c.contact_id, 'mailboxId', c.mailbox_id,
      'mergedIntoId', c.merged_into_id, 'isTest', c.is_test, 'wasSolved', c.resolved_at is not null,
      'assignOnReply', w.assign_on_reply,
      'aiAgentSilenced', c.ai_agent_silenced, 'aiAgentEnabled', w.ai_agent_enabled,
      'assignee', case when u.id is not null
        then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end,
      'team', case when t.deleted_at is null and t.id is not null then json_build_object('id', t.id, 'name', t.name) end
    ) as conversation,
      u.id is not distinct from c.assignee_id and t.id is not distinct from c.team_id as "isWhole"
    from c
    join workspaces w on w.id = c.workspace_id
    left join users u on u.id = c.assignee_id
    left join teams t on t.id = c.team_id`;
  if (!row || (actor?.kind === 'workflow' && row.conversation.isTest)) throw notFound('The conversation');
  // Made while this statement waited, and so not there for it; there for the next one, which need not wait.
  if (!row.isWhole) return lockConversation(tx, which);
  return row.conversation;
}

/**
 * Runs a change of one conversation in a transaction that holds its row.
 * @throws Refusal when there is no such conversation, or it was merged into another one (spec.md §3)
 */
export function withLockedConversation<T>(
  which: Which,
  work: (tx: Tx, conversation: LockedConversation) => Promise<T>,
): Promise<T> {
  return inTransaction(async (tx) => work(tx, refuseMerged(await lockConversation(tx, which))));
}

/** @throws Refusal when the conversation was merged into another one: then nothing changes it any more */
export function refuseMerged<T extends { mergedIntoId: string | null }>(conversation: T): T {
  refuseMergedInto(conversation.mergedIntoId);
  return conversation;
}

/** @throws Refusal when the conversation was merged */
export function refuseMergedInto(mergedIntoId: string | null): void {
  if (mergedIntoId === null) return;
  const message = 'This conversation was merged into another one. Use the other conversation instead.';
  throw invalid({ conversation: [message] });
}

/** Where what a contact says belongs. */
export type WhereContactWrites = {
  /** Locked: the conversation itself, or the one it was merged into. */
  conversation: LockedConversation;
  /** The conversation that the contact knows, which is the same one unless it was merged; not locked. */
  known: { contactId: string | null; status: ConversationStatus; wasSolved: boolean };
};

/**
 * Locks the conversation that a contact's message or rating belongs to: the given one, or the one it was merged into
 * (decisions: conversations and contacts, 3). It is looked for before anything is locked, as a merge locks both in an
 * order of its own; a merge between looking and locking is followed too.
 * @throws Refusal when the workspace has no such conversation
 */
export async function lockWhereContactWrites(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<WhereContactWrites> {
  const seen = isUuid(id)
    ? await tx.conversation.findUnique({
        where: { workspaceId_id: { workspaceId, id } },
        select: { mergedIntoId: true, contactId: true, status: true, resolvedAt: true },
      })
    : null;
  let conversation = await lockConversation(tx, { workspaceId, id: seen?.mergedIntoId ?? id });
  while (conversation.mergedIntoId !== null) {
    conversation = await lockConversation(tx, { workspaceId, id: conversation.mergedIntoId });
  }
  // Begun while this looked, and so seen by the lock alone.
  const known = seen ? { ...seen, wasSolved: seen.resolvedAt !== null } : conversation;
  return { conversation, known };
}
