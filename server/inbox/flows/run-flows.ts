import { isConflict } from '#server/core/database/errors.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { log } from '#server/core/log.ts';
import type { Flow } from '#server/generated/prisma/client.ts';
import { assign, changeOf, joinChanges, setStatus, setTeam } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { tag } from '#server/inbox/conversations/tags.ts';
import { type FlowActions, flowActions, flowCondition } from '#server/inbox/flows/flow.ts';
import { type Begun, matchesCondition } from '#server/inbox/flows/matches-condition.ts';
import { findAssignable, findTeam } from '#server/teammates/find-teammates.ts';

const ACTOR = { kind: 'flow' } as const;

type StoredFlow = Pick<Flow, 'id' | 'condition' | 'actions'>;

/**
 * Runs the flows of the workspace that apply to a conversation which a contact has just begun, in the order in which
 * they were made: each changes what the one before has left. Called in the transaction of the contact's message, once
 * that is written. A flow never makes the message fail: one that cannot be read or run is passed over, and logged.
 * @param text the subject and the first message
 */
export async function runFlows(
  tx: SqlDb,
  begun: LockedConversation,
  { text, now }: { text: string; now: Date },
): Promise<void> {
  const { workspaceId, record } = begun;
  const flows = await tx.$queryRaw<StoredFlow[]>`
    select id, condition, actions from flows where workspace_id = ${workspaceId}::uuid and enabled
    order by created_at, id`;
  if (flows.length === 0) return;
  const about = { channel: record.channel, text, email: record.contact?.email ?? null };
  let conversation = begun;
  for (const flow of flows) {
    const actions = actionsOf(flow, about);
    if (actions) conversation = await runSafely(tx, conversation, { flow, actions, now });
  }
}

/** What a flow does to a conversation that it applies to. */
function actionsOf({ id, condition, actions }: StoredFlow, begun: Begun): FlowActions | undefined {
  const read = flowCondition.safeParse(condition);
  const wanted = flowActions.safeParse(actions);
  if (read.success && wanted.success) return matchesCondition(read.data, begun) ? wanted.data : undefined;
  log().warn({ flowId: id }, 'flow.unreadable');
  return undefined;
}

/** Runs a flow, wholly or not at all, and returns the conversation as it then is. */
async function runSafely(
  tx: SqlDb,
  conversation: LockedConversation,
  { flow, actions, now }: { flow: StoredFlow; actions: FlowActions; now: Date },
): Promise<LockedConversation> {
  await tx.$executeRaw`savepoint flow`;
  try {
    const after = await run(tx, conversation, { actions, now });
    await tx.$executeRaw`release savepoint flow`;
    return after;
  } catch (error) {
    // The whole transaction is tried again.
    if (isConflict(error)) throw error;
    await tx.$executeRaw`rollback to savepoint flow`;
    log().warn({ err: error, flowId: flow.id, conversationId: conversation.id }, 'flow.failed');
    return conversation;
  }
}

async function run(
  tx: SqlDb,
  conversation: LockedConversation,
  { actions: { tags, assigneeId, teamId, status }, now }: { actions: FlowActions; now: Date },
): Promise<LockedConversation> {
  const { workspaceId, record } = conversation;
  // A teammate who has left or is a viewer now is skipped, and so is a deleted team. Elsewhere members are locked before
  // conversations; nobody can wait for this conversation, which is not committed yet.
  const assignee = assigneeId ? await findAssignable(tx, { workspaceId, id: assigneeId }) : undefined;
  const team = teamId ? await findTeam(tx, { workspaceId, id: teamId }) : undefined;
  const change = joinChanges([
    tags.length > 0 ? tag(conversation, { tags, actor: ACTOR, now }) : changeOf(),
    team ? setTeam(record, team) : changeOf(),
    assignee ? assign(record, { assignee, actor: ACTOR, now }) : changeOf(),
    status ? setStatus(record, { status, now }) : changeOf(),
  ]);
  return { ...conversation, record: await persistChange(tx, conversation, { actor: ACTOR, change, now }) };
}
