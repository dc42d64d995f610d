'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { Channel } from '#server/screens/inbox/views.ts';

const CHANNELS = '/settings/channels';

/** Connects an account of a channel. `names`: the fields that are filled in. */
export const connectAccount = action(
  CHANNELS,
  async ({ channels }, { channel, names }: { channel: Channel; names: string[] }, form: FormData) => {
    const fields = Object.fromEntries(names.map((name) => [name, textOf(form, name)]));
    await channels.connect({ channel, fields });
  },
);

/** Asks the provider whether an account works; returns a sentence when it does not, else null. */
export const testAccount = action(CHANNELS, async ({ channels }, accountId: string) => {
  const result = await channels.test({ accountId });
  return result.works ? null : result.reason;
});

/** Disconnects an account. */
export const disconnectAccount = action(CHANNELS, async ({ channels }, accountId: string) => {
  await channels.disconnect({ accountId });
});

/** Processes once more what failed. */
export const replayUpdates = action(CHANNELS, async ({ channels }, accountId: string) => {
  await channels.replay({ accountId });
});

/** Makes the key that signs the emails of a domain. */
export const makeSigningKey = action(CHANNELS, async ({ channels }, domainId: string) => {
  await channels.makeSigningKey({ domainId });
});

/** Looks for the record of a domain's key; returns a sentence when it is not there, else null. */
export const checkSigningKey = action(CHANNELS, ({ channels }, domainId: string) =>
  channels.checkSigningKey({ domainId }),
);

/** Makes an address to which a mail provider posts what arrives; returns it with its secret. */
export const connectPostedMail = action(CHANNELS, ({ channels }) => channels.connectPostedMail());
