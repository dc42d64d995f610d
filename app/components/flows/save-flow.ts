'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Makes a flow in the open workspace, or changes the one of that id. */
export async function saveFlow(id: string | null, before: FormState, form: FormData): Promise<FormState> {
  const values = {
    name: textOf(form, 'name'),
    words: textOf(form, 'words'),
    emailDomain: textOf(form, 'emailDomain'),
    tags: textOf(form, 'tags'),
    assigneeId: textOf(form, 'assigneeId'),
    teamId: textOf(form, 'teamId'),
    status: textOf(form, 'status'),
  };
  const channels = form.getAll('channels').filter((channel) => typeof channel === 'string');
  try {
    const { flows } = await openScreens();
    if (id === null) await flows.create({ ...values, channels });
    else await flows.update({ id, ...values, channels });
  } catch (error) {
    return failed(before, error, { values, fields: Object.keys(values) });
  }
  revalidatePath('/settings/flows');
  return succeeded(before);
}
