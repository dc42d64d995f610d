'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Switches a flow of the open workspace on or off; answers a sentence when it was refused, else null. */
export async function switchFlow(id: string, enabled: boolean): Promise<string | null> {
  try {
    await (await openScreens()).flows.switch({ id, enabled });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/flows');
  return null;
}
