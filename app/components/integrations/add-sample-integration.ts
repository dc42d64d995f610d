'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** In the demo, adds a sample integration to the open workspace; answers a sentence when it was refused, else null. */
export async function addSampleIntegration(): Promise<string | null> {
  try {
    await (await openScreens()).connections.addSampleIntegration();
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/integrations');
  return null;
}
