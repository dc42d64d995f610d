import { changeOf } from '#server/conversations/change.ts';
import { inConversation } from '#server/conversations/lock-conversation.ts';
import { writeChange } from '#server/conversations/write-change.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';

/**
 * Tells the AI agent to stay out of a conversation, or to answer its contact again from the next message on. The timeline
 * says who did.
 * @throws Refusal when there is no such conversation or it was merged
 */
export async function setSilenced(given: {
  workspaceId: string;
  id: string;
  actor: PersonalActor;
  silenced: boolean;
}): Promise<void> {
  const { workspaceId, id, actor, silenced } = given;
  await inConversation({ workspaceId, id }, async (tx, conversation) => {
    if (conversation.aiAgentSilenced === silenced) return;
    const change = changeOf({
      columns: { aiAgentSilenced: silenced },
      entries: [{ kind: silenced ? 'agent_silenced' : 'agent_resumed', data: {} }],
    });
    await writeChange(tx, conversation, { actor, change, now: new Date() });
  });
}
