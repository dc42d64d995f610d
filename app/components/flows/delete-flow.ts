'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Deletes a flow of the open workspace; answers a sentence when it was refused, else null. */
export async function deleteFlow(id: string): Promise<string | null> {
  try {
    await (await openScreens()).flows.delete({ id });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/flows');
  return null;
}
