'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const BLOCKED = '/settings/blocked-senders';

export const blockSender = action(BLOCKED, async ({ blockedSenders }, form: FormData) => {
  const { value } = await blockedSenders.add({ sender: textOf(form, 'sender') });
  return { value };
});

export const unblockSender = action(BLOCKED, async ({ blockedSenders }, id: string) => {
  await blockedSenders.remove({ id });
});
