import { AgentSwitch } from '#app/components/inbox/details/agent-switch.tsx';
import { openScreens } from '#app/data/open-screens.ts';

/** Whether the AI agent answers in a conversation; nothing where the workspace has it switched off. */
export async function AgentState({ conversationId }: { conversationId: string }) {
  const state = await (await openScreens()).aiAgent.state({ id: conversationId });
  if (!state) return null;
  return (
    <section aria-label="AI agent" className="border-t p-4">
      <AgentSwitch conversationId={conversationId} {...state} />
    </section>
  );
}
