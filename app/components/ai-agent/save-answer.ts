'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Adds an answer to the open workspace, or changes the one of that id. */
export async function saveAnswer(id: string | null, before: FormState, form: FormData): Promise<FormState> {
  const values = {
    question: textOf(form, 'question'),
    answer: textOf(form, 'answer'),
    nextStatus: textOf(form, 'nextStatus'),
  };
  const sent = {
    ...values,
    nextStatus: values.nextStatus === 'solved' ? ('solved' as const) : ('pending' as const),
  };
  try {
    const { aiAgent } = await openScreens();
    if (id === null) await aiAgent.addAnswer(sent);
    else await aiAgent.updateAnswer({ id, ...sent });
  } catch (error) {
    return failed(before, error, { values, fields: ['question', 'answer'] });
  }
  revalidatePath('/settings/ai-agent');
  return succeeded(before);
}
