'use server';

import { action } from '#app/data/action.ts';

export const listForm = action(null, async ({ channels }, address: string) => {
  await channels.addForm({ address });
});

export const declineForm = action(null, async ({ channels }, address: string) => {
  await channels.declineForm({ address });
});
