'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Ends a connection of the open workspace; answers a sentence when it was refused, else null. */
export async function disconnect(connectionId: string): Promise<string | null> {
  try {
    await (await openScreens()).connections.disconnect({ connectionId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/integrations');
  return null;
}
