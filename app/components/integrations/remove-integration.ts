'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Removes an integration of the open workspace; answers a sentence when it was refused, else null. */
export async function removeIntegration(integrationId: string): Promise<string | null> {
  try {
    await (await openScreens()).connections.removeIntegration({ integrationId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/integrations');
  return null;
}
