'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';
import { withoutApiNames } from '#app/lib/plain-sentence.ts';

/** How far the form got, and the conversation once it is started. */
export type Started = FormState & { id: string | null };

/** Starts a conversation by e-mail in the open workspace. */
export async function startConversation(before: Started, form: FormData): Promise<Started> {
  const values = {
    to_email: textOf(form, 'to_email'),
    to_name: textOf(form, 'to_name'),
    subject: textOf(form, 'subject'),
    content: textOf(form, 'content'),
  };
  try {
    const { id } = await (await openScreens()).inbox.create(values);
    revalidatePath('/inbox');
    return { ...succeeded(before), id };
  } catch (error) {
    const refused = failed(before, error, { values, fields: Object.keys(values) });
    const fields = Object.entries(refused.fields).map(([name, sentence]) => [name, asInForm(sentence)]);
    return { ...refused, fields: Object.fromEntries(fields), id: null };
  }
}

/** A sentence of the API, with the field called what the form calls it. */
function asInForm(sentence: string): string {
  return withoutApiNames(sentence).replace('The content ', 'The message ');
}
