import { changeOf } from '#server/inbox/conversations/changes.ts';
import { withLockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';

/**
 * Silences the AI agent in a conversation, or lets it answer again from the next message on. The timeline records the
 * actor.
 * @throws Refusal when the conversation does not exist, is spam or deleted, or was merged
 */
export async function setSilenced(input: {
  workspaceId: string;
  id: string;
  actor: PersonalActor;
  silenced: boolean;
}): Promise<void> {
  const { workspaceId, id, actor, silenced } = input;
  await withLockedConversation({ workspaceId, id }, async (tx, conversation) => {
    if (conversation.aiAgentSilenced === silenced) return;
    const change = changeOf({
      columns: { aiAgentSilenced: silenced },
      entries: [{ kind: silenced ? 'agent_silenced' : 'agent_resumed', data: {} }],
    });
    await persistChange(tx, conversation, { actor, change, now: new Date() });
  });
}
