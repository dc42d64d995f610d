import { change } from '#app/components/live/page-data.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { OrderedInput } from '#server/screens/inbox/views.ts';

/** Saves filters and an order as a view. */
export const addSavedView = change(async ({ savedViews }, filters: OrderedInput, form: FormData) => {
  const name = textOf(form, 'name');
  const isShared = form.get('shared') !== null;
  return savedViews.add.mutate({ name, isShared, filters });
});

export const renameSavedView = change(async ({ savedViews }, id: string, form: FormData) => {
  await savedViews.rename.mutate({ id, name: textOf(form, 'name') });
  return { id };
});

export const deleteSavedView = change(({ savedViews }, id: string) => savedViews.delete.mutate({ id }));
