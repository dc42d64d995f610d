'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Rates by a mailed link. After a refusal the form shows what was chosen and written. */
export async function sendRating(before: FormState, form: FormData): Promise<FormState> {
  const values = { score: textOf(form, 'score'), comment: textOf(form, 'comment') };
  const fields = ['score', 'comment'];
  if (values.score === '') {
    return {
      ...before,
      values,
      fields: { score: 'Choose one of the five first.' },
      done: false,
      attempt: before.attempt + 1,
    };
  }
  try {
    const { score, comment } = values;
    await (await openScreens()).ratings.rate({ token: textOf(form, 'token'), score: Number(score), comment });
  } catch (error) {
    return failed(before, error, { values, fields });
  }
  return { ...succeeded(before), values };
}
