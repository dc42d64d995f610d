'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Removes a domain from the open workspace; answers a sentence when it was refused, else null. */
export async function removeDomain(domainId: string): Promise<string | null> {
  try {
    await (await openScreens()).workspaces.removeDomain({ domainId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/workspace');
  return null;
}
