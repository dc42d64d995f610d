'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { Channel } from '#server/screens/inbox/views.ts';

const CHANNELS = '/settings/channels';

/** Connects an account of a channel. `names` lists the filled form fields. */
export const connectAccount = action(
  CHANNELS,
  async ({ channels }, { channel, names }: { channel: Channel; names: string[] }, form: FormData) => {
    const fields = Object.fromEntries(names.map((name) => [name, textOf(form, name)]));
    return channels.connect({ channel, fields });
  },
);

/** Tests an account with its provider. Returns null if it works, otherwise the reason. */
export const testAccount = action(CHANNELS, async ({ channels }, accountId: string) => {
  const result = await channels.test({ accountId });
  return result.works ? null : result.reason;
});

export const disconnectAccount = action(CHANNELS, async ({ channels }, accountId: string) => {
  await channels.disconnect({ accountId });
});

/** Retries failed updates of an account. */
export const replayUpdates = action(CHANNELS, async ({ channels }, accountId: string) => {
  await channels.replay({ accountId });
});
