'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { AgentTestView } from '#server/inbox/ai-agent/views.ts';

/** Writes to the agent as a contact; answers the test as it then is, or a sentence when it was refused. */
export async function testAgent(
  conversationId: string | null,
  content: string,
): Promise<AgentTestView | { problem: string }> {
  try {
    return await (await openScreens()).aiAgent.test({ conversationId, content });
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
