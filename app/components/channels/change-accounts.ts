'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';
import type { Channel } from '#server/inbox/conversations/views.ts';

/**
 * Connects an account of a channel.
 * @param names the fields that are filled in; `shown` those that may be shown again after a refusal
 */
export async function connectAccount(
  { channel, names, shown }: { channel: Channel; names: string[]; shown: string[] },
  before: FormState,
  form: FormData,
): Promise<FormState> {
  const fields = Object.fromEntries(names.map((name) => [name, textOf(form, name)]));
  try {
    await (await openScreens()).channels.connect({ channel, fields });
  } catch (error) {
    const values = Object.fromEntries(Object.entries(fields).filter(([name]) => shown.includes(name)));
    return failed(before, error, { values, fields: names });
  }
  revalidatePath('/settings/channels');
  return succeeded(before);
}

/** Asks the provider whether an account works; answers a sentence when it does not, else null. */
export async function testAccount(accountId: string): Promise<string | null> {
  try {
    const result = await (await openScreens()).channels.test({ accountId });
    revalidatePath('/settings/channels');
    return result.works ? null : result.reason;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Disconnects an account; answers a sentence when it was refused, else null. */
export async function disconnectAccount(accountId: string): Promise<string | null> {
  try {
    await (await openScreens()).channels.disconnect({ accountId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/channels');
  return null;
}

/** Processes once more what failed; answers a sentence when it was refused, else null. */
export async function replayUpdates(accountId: string): Promise<string | null> {
  try {
    await (await openScreens()).channels.replay({ accountId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/channels');
  return null;
}
