'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { OrderedInput } from '#server/screens/inbox/views.ts';

/** Saves filters and an order as a view. */
export const addSavedView = action(null, async ({ savedViews }, filters: OrderedInput, form: FormData) => {
  const name = textOf(form, 'name');
  const isShared = form.get('shared') !== null;
  return savedViews.add({ name, isShared, filters });
});

export const renameSavedView = action(null, async ({ savedViews }, id: string, form: FormData) => {
  await savedViews.rename({ id, name: textOf(form, 'name') });
  return { id };
});

export const deleteSavedView = action(null, async ({ savedViews }, id: string) => {
  await savedViews.delete({ id });
});
