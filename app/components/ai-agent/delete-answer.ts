'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { SavedAnswerView } from '#server/inbox/ai-agent/views.ts';

/** Deletes a saved answer of the open workspace; answers a sentence when it was refused, else null. */
export async function deleteAnswer(id: string): Promise<string | null> {
  try {
    await (await openScreens()).aiAgent.deleteAnswer({ id });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/ai-agent');
  return null;
}

/** Adds an answer again that was deleted; answers a sentence when it was refused, else null. */
export async function restoreAnswer({
  question,
  answer,
  nextStatus,
}: SavedAnswerView): Promise<string | null> {
  try {
    await (await openScreens()).aiAgent.addAnswer({ question, answer, nextStatus });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/ai-agent');
  return null;
}
