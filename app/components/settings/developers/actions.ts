'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const DEVELOPERS = '/settings/developers';

/** Creates an API token, which only this result contains. */
export const createApiToken = action(DEVELOPERS, async ({ developers }, form: FormData) => {
  const chosen = form.getAll('abilities').filter((value) => value !== '');
  const { token } = await developers.create({
    label: textOf(form, 'label'),
    // The procedure refuses values that are not abilities.
    abilities: chosen as Parameters<typeof developers.create>[0]['abilities'],
    lastDay: textOf(form, 'lastDay'),
  });
  return { token };
});

export const revokeApiToken = action(DEVELOPERS, async ({ developers }, id: string) => {
  await developers.revoke({ id });
});
