'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { SavedAnswerView } from '#server/screens/settings/channel-views.ts';

const AGENT = '/settings/ai-agent';

/** Switches the AI agent of the open workspace on or off. */
export const setEnabled = action(AGENT, async ({ aiAgent }, enabled: boolean) => {
  await aiAgent.setEnabled({ enabled });
});

/** Has the AI agent stay out of a conversation, or answer in it again. */
export const setSilenced = action(null, async ({ aiAgent }, id: string, silenced: boolean) => {
  await aiAgent.setSilenced({ id, silenced });
});

/** Adds a saved answer to the open workspace, or changes the one of that id. */
export const saveAnswer = action(AGENT, async ({ aiAgent }, id: string | null, form: FormData) => {
  const nextStatus: SavedAnswerView['nextStatus'] =
    textOf(form, 'nextStatus') === 'solved' ? 'solved' : 'pending';
  const saved = { question: textOf(form, 'question'), answer: textOf(form, 'answer'), nextStatus };
  if (id === null) await aiAgent.addAnswer(saved);
  else await aiAgent.updateAnswer({ id, ...saved });
});

/** Deletes a saved answer. */
export const deleteAnswer = action(AGENT, async ({ aiAgent }, id: string) => {
  await aiAgent.deleteAnswer({ id });
});

/** Adds a saved answer again that was deleted. */
export const restoreAnswer = action(AGENT, async ({ aiAgent }, deleted: SavedAnswerView) => {
  const { question, answer, nextStatus } = deleted;
  await aiAgent.addAnswer({ question, answer, nextStatus });
});

/** Writes to the agent as a contact; returns the test conversation as it is then. */
export const testAgent = action(null, ({ aiAgent }, conversationId: string | null, content: string) =>
  aiAgent.test({ conversationId, content }),
);
