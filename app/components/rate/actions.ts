'use server';

import { formAction } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import { ScreenRefusal } from '#app/lib/outcome.ts';

/** Rates a conversation by an emailed link and returns the rating. */
export const sendRating = formAction(
  { shows: null, fields: ['score', 'comment'] },
  async ({ ratings }, form) => {
    const score = textOf(form, 'score');
    if (score === '') throw new ScreenRefusal('Choose a rating first.', ['score']);
    const rated = { score: Number(score), comment: textOf(form, 'comment') };
    await ratings.rate({ token: textOf(form, 'token'), ...rated });
    return rated;
  },
);
