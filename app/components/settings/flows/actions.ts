'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const FLOWS = '/settings/flows';

/** Creates a flow, or updates the one with this id. */
export const saveFlow = action(FLOWS, async ({ flows }, id: string | null, form: FormData) => {
  const content = {
    name: textOf(form, 'name'),
    channels: form.getAll('channels').filter((channel) => typeof channel === 'string'),
    words: textOf(form, 'words'),
    emailDomain: textOf(form, 'emailDomain'),
    tags: textOf(form, 'tags'),
    assigneeId: textOf(form, 'assigneeId'),
    teamId: textOf(form, 'teamId'),
    status: textOf(form, 'status'),
  };
  if (id === null) await flows.create(content);
  else await flows.update({ id, ...content });
});

export const switchFlow = action(FLOWS, async ({ flows }, id: string, enabled: boolean) => {
  await flows.switch({ id, enabled });
});

export const deleteFlow = action(FLOWS, async ({ flows }, id: string) => {
  await flows.delete({ id });
});
