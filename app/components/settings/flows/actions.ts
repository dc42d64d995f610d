'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const FLOWS = '/settings/flows';

/** Creates a flow, or updates the one with this id. */
export const saveFlow = action(FLOWS, async ({ flows }, id: string | null, form: FormData) => {
  const content = {
    name: textOf(form, 'name'),
    trigger: textOf(form, 'trigger'),
    triggerStatus: textOf(form, 'triggerStatus'),
    triggerPriority: textOf(form, 'triggerPriority'),
    triggerTeamId: textOf(form, 'triggerTeamId'),
    triggerTags: textOf(form, 'triggerTags'),
    triggerLimit: textOf(form, 'triggerLimit'),
    time: textOf(form, 'time'),
    unit: textOf(form, 'unit'),
    channels: form.getAll('channels').filter((channel) => typeof channel === 'string'),
    words: textOf(form, 'words'),
    emailDomain: textOf(form, 'emailDomain'),
    statuses: form.getAll('statuses').filter((status) => typeof status === 'string'),
    withTags: textOf(form, 'withTags'),
    tags: textOf(form, 'tags'),
    assigneeId: textOf(form, 'assigneeId'),
    teamId: textOf(form, 'teamId'),
    status: textOf(form, 'status'),
    priority: textOf(form, 'priority'),
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
