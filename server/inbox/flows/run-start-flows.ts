import type { SqlDb } from '#server/core/database/sql.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { targetsOnDemand } from '#server/inbox/flows/flow-targets.ts';
import { loadFlows } from '#server/inbox/flows/load-flows.ts';
import { runFlows } from '#server/inbox/flows/run-flows.ts';

/**
 * Runs the flows of a workspace on a conversation that a contact just started. Runs in the transaction of the contact's message,
 * after the message is inserted, so that a new conversation is never shown without what its flows do.
 * @param text subject and first message
 */
export async function runStartFlows(
  tx: SqlDb,
  started: LockedConversation,
  { messageId, text, now }: { messageId: string; text: string; now: Date },
): Promise<void> {
  const flows = await loadFlows(tx, started.workspaceId);
  if (flows.length === 0) return;
  await runFlows(tx, started, {
    flows,
    causes: [{ kind: 'conversation_started' }, { kind: 'message_received', messageId }],
    readText: async () => text,
    findTargets: targetsOnDemand(tx, started.workspaceId),
    now,
  });
}
