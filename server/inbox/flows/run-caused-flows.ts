import { z } from 'zod';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { type FlowCause, flowCause, madeBy } from '#server/inbox/conversations/flow-cause.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { lockTargets } from '#server/inbox/flows/flow-targets.ts';
import { loadFlows } from '#server/inbox/flows/load-flows.ts';
import { matchesTrigger } from '#server/inbox/flows/matches-trigger.ts';
import { runFlows } from '#server/inbox/flows/run-flows.ts';

type StoredCause = { workspaceId: string; conversationId: string; causes: unknown };

/**
 * Runs the flows that a committed change started, once: the row of the causes is deleted in the same transaction. A conversation
 * that has been merged or removed since has no flows.
 */
export async function runCausedFlows({ causeId }: { causeId: string }): Promise<void> {
  await sqlTransaction(async (tx) => {
    const [stored] = await tx.$queryRaw<StoredCause[]>`
      select workspace_id as "workspaceId", conversation_id as "conversationId", causes from flow_causes
      where id = ${causeId}::uuid`;
    if (!stored) return;
    const { workspaceId, conversationId } = stored;
    const causes = z.array(flowCause).parse(stored.causes);
    const byPerson = z
      .array(madeBy)
      .parse(stored.causes)
      .every((cause) => cause.byPerson);
    const flows = await loadFlows(tx, workspaceId);
    const isStarted = flows.some((flow) => causes.some((cause) => matchesTrigger(flow, cause)));
    const findTargets = await lockTargets(tx, workspaceId, isStarted ? flows : []);
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const claimed = await claim(tx, causeId);
    if (!claimed || !isStarted || !mayRun(conversation)) return;
    const keepsStatus = ({ kind }: FlowCause) =>
      kind === 'replied' ? claimed.isReplyOutdated : claimed.isStatusNewer;
    const readText = () => readTextOf(tx, conversation, causes);
    await runFlows(tx, conversation, {
      flows,
      causes,
      readText,
      findTargets,
      byPerson,
      keepsStatus,
      now: new Date(),
    });
  });
}

type Claimed = { isStatusNewer: boolean; isReplyOutdated: boolean };

/**
 * Deletes the row of the causes. Undefined if another run has. A status that was set after the change, or that a reply solved, is newer
 * than the flows. So is a message of the contact after a reply.
 */
async function claim(tx: SqlDb, causeId: string): Promise<Claimed | undefined> {
  const [claimed] = await tx.$queryRaw<Claimed[]>`
    delete from flow_causes f using conversations c
    where f.id = ${causeId}::uuid and c.id = f.conversation_id
    returning c.status_changed_at > f.created_at as "isStatusNewer",
      c.status_changed_at >= f.created_at or coalesce(c.last_inbound_at > f.created_at, false) as "isReplyOutdated"`;
  return claimed;
}

/** Returns whether flows may change a conversation: it is in the inbox and takes changes. */
export function mayRun({ isTest, removal, mergedIntoId, isAnonymized }: LockedConversation): boolean {
  return !isTest && removal === null && mergedIntoId === null && !isAnonymized;
}

/** Returns the subject and the message for the conditions: the one that arrived, otherwise the contact's last one. */
export async function readTextOf(
  tx: SqlDb,
  { id, record }: LockedConversation,
  causes: FlowCause[],
): Promise<string> {
  const arrived = causes.find((cause) => cause.kind === 'message_received');
  const [message] = await tx.$queryRaw<{ content: string }[]>`
    select content from messages
    where conversation_id = ${id}::uuid and direction = 'inbound'
      and (${arrived?.messageId ?? null}::uuid is null or id = ${arrived?.messageId ?? null}::uuid)
    order by created_at desc limit 1`;
  return `${record.subject ?? ''}\n${message?.content ?? ''}`;
}
