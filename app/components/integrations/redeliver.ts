'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Sends a delivery of the open workspace again; answers a sentence when it was refused, else null. */
export async function redeliver(id: string): Promise<string | null> {
  try {
    await (await openScreens()).deliveries.redeliver({ id });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/integrations');
  return null;
}
