import { isConflict } from '#server/core/database/errors.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { log } from '#server/core/log.ts';
import type { Flow } from '#server/generated/prisma/client.ts';
import { assign, changeOf, joinChanges, setStatus, setTeam } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { tag } from '#server/inbox/conversations/tags.ts';
import { type FlowActions, flowActions, flowCondition } from '#server/inbox/flows/flow.ts';
import { matchesCondition, type NewConversation } from '#server/inbox/flows/matches-condition.ts';
import { findAssignable, findTeam } from '#server/teammates/find-teammates.ts';

type StoredFlow = Pick<Flow, 'id' | 'name' | 'condition' | 'actions'>;

/**
 * Runs the matching flows of the workspace on a conversation that a contact just started, in the order of their
 * creation. Each flow sees the result of the previous one. Runs in the transaction of the contact's message, after the
 * message is inserted. A flow never makes the message fail: an invalid or failing flow is skipped and logged.
 * @param text subject and first message
 */
export async function runFlows(
  tx: SqlDb,
  started: LockedConversation,
  { text, now }: { text: string; now: Date },
): Promise<void> {
  const { workspaceId, record } = started;
  const flows = await tx.$queryRaw<StoredFlow[]>`
    select id, name, condition, actions from flows where workspace_id = ${workspaceId}::uuid and enabled
    order by created_at, id`;
  if (flows.length === 0) return;
  const about = { channel: record.channel, text, email: record.contact?.email ?? null };
  let conversation = started;
  for (const flow of flows) {
    const actions = actionsOf(flow, about);
    if (actions) conversation = await runSafely(tx, conversation, { flow, actions, now });
  }
}

/** Returns the actions of a flow, or undefined when the flow is invalid or does not match. */
function actionsOf(
  { id, condition, actions }: StoredFlow,
  conversation: NewConversation,
): FlowActions | undefined {
  const read = flowCondition.safeParse(condition);
  const wanted = flowActions.safeParse(actions);
  if (read.success && wanted.success)
    return matchesCondition(read.data, conversation) ? wanted.data : undefined;
  log().warn({ flowId: id }, 'flow.unreadable');
  return undefined;
}

/** Runs a flow completely or not at all, and returns the updated conversation. */
async function runSafely(
  tx: SqlDb,
  conversation: LockedConversation,
  { flow, actions, now }: { flow: StoredFlow; actions: FlowActions; now: Date },
): Promise<LockedConversation> {
  await tx.$executeRaw`savepoint flow`;
  try {
    const after = await run(tx, conversation, { name: flow.name, actions, now });
    await tx.$executeRaw`release savepoint flow`;
    return after;
  } catch (error) {
    // A conflict aborts the transaction, which is retried as a whole.
    if (isConflict(error)) throw error;
    await tx.$executeRaw`rollback to savepoint flow`;
    log().warn({ err: error, flowId: flow.id, conversationId: conversation.id }, 'flow.failed');
    return conversation;
  }
}

async function run(
  tx: SqlDb,
  conversation: LockedConversation,
  { name, actions, now }: { name: string; actions: FlowActions; now: Date },
): Promise<LockedConversation> {
  const { workspaceId, record } = conversation;
  const { tags, assigneeId, teamId, status } = actions;
  const actor = { kind: 'flow' as const, name };
  // Skips a teammate who left or became a viewer, and a deleted team. The usual lock order is members before
  // conversations. No deadlock is possible here: the conversation is uncommitted, so nobody waits for its lock.
  const assignee = assigneeId ? await findAssignable(tx, { workspaceId, id: assigneeId }) : undefined;
  const team = teamId ? await findTeam(tx, { workspaceId, id: teamId }) : undefined;
  const change = joinChanges([
    tags.length > 0 ? tag(conversation, { tags, actor, now }) : changeOf(),
    team ? setTeam(record, team) : changeOf(),
    assignee ? assign(record, { assignee, actor, now }) : changeOf(),
    status ? setStatus(record, { status, now }) : changeOf(),
  ]);
  return { ...conversation, record: await persistChange(tx, conversation, { actor, change, now }) };
}
