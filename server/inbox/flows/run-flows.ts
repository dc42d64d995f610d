import { isConflict, type Tx } from '#server/core/database/db.ts';
import { log } from '#server/core/log.ts';
import type { Flow } from '#server/generated/prisma/client.ts';
import { writeChange } from '#server/inbox/conversations/apply-change.ts';
import { assign, changeOf, joinChanges, setStatus, setTeam } from '#server/inbox/conversations/changes.ts';
import { findTags } from '#server/inbox/conversations/conversation-record.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
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
  tx: Tx,
  begun: LockedConversation,
  { text, now }: { text: string; now: Date },
): Promise<void> {
  const { workspaceId, channel } = begun;
  const flows = await tx.flow.findMany({
    where: { workspaceId, enabled: true },
    select: { id: true, condition: true, actions: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  if (flows.length === 0) return;
  const email = await findEmail(tx, begun);
  let conversation = begun;
  for (const flow of flows) {
    const actions = actionsOf(flow, { channel, text, email });
    if (actions) conversation = await runSafely(tx, conversation, { flow, actions, now });
  }
}

async function findEmail(tx: Tx, { workspaceId, contactId }: LockedConversation): Promise<string | null> {
  if (contactId === null) return null;
  const where = { workspaceId_id: { workspaceId, id: contactId } };
  return (await tx.contact.findUnique({ where, select: { email: true } }))?.email ?? null;
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
  tx: Tx,
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
  tx: Tx,
  conversation: LockedConversation,
  { actions: { tags, assigneeId, teamId, status }, now }: { actions: FlowActions; now: Date },
): Promise<LockedConversation> {
  const { workspaceId } = conversation;
  // One who has left or only reads by now is passed over, as is a team that is gone. A member is locked before
  // conversations elsewhere; no one can wait for this one, which is not committed yet.
  const assignee = assigneeId ? await findAssignable(tx, { workspaceId, id: assigneeId }) : undefined;
  const team = teamId ? await findTeam(tx, { workspaceId, id: teamId }) : undefined;
  const change = joinChanges([
    tags.length > 0
      ? tag({ ...conversation, tags: await findTags(tx, conversation.id) }, { tags, actor: ACTOR, now })
      : changeOf(),
    team ? setTeam(conversation, team) : changeOf(),
    assignee ? assign(conversation, { assignee, actor: ACTOR, now }) : changeOf(),
    status ? setStatus(conversation, { status, now }) : changeOf(),
  ]);
  if (change.entries.length > 0) await writeChange(tx, conversation, { actor: ACTOR, change, now });
  return {
    ...conversation,
    assignee: assignee ?? conversation.assignee,
    team: team ?? conversation.team,
    status: status ?? conversation.status,
    wasSolved: conversation.wasSolved || status === 'solved',
  };
}
