'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { SavedAnswerView } from '#server/screens/settings/channel-views.ts';

const AGENT = '/settings/ai-agent';

export const setEnabled = action(AGENT, async ({ aiAgent }, enabled: boolean) => {
  await aiAgent.setEnabled({ enabled });
});

/** Adds a saved answer, or updates the one with this id. */
export const saveAnswer = action(AGENT, async ({ aiAgent }, id: string | null, form: FormData) => {
  const nextStatus: SavedAnswerView['nextStatus'] =
    textOf(form, 'nextStatus') === 'solved' ? 'solved' : 'pending';
  const saved = { question: textOf(form, 'question'), answer: textOf(form, 'answer'), nextStatus };
  if (id === null) await aiAgent.addAnswer(saved);
  else await aiAgent.updateAnswer({ id, ...saved });
});

export const deleteAnswer = action(AGENT, async ({ aiAgent }, id: string) => {
  await aiAgent.deleteAnswer({ id });
});

/** Restores a deleted answer. */
export const restoreAnswer = action(AGENT, async ({ aiAgent }, deleted: SavedAnswerView) => {
  const { question, answer, nextStatus } = deleted;
  await aiAgent.addAnswer({ question, answer, nextStatus });
});
