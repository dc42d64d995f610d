'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Verifies a domain of the open workspace; answers a sentence on what was found instead, else null. */
export async function checkDomain(domainId: string): Promise<string | null> {
  try {
    const outcome = await (await openScreens()).workspaces.verifyDomain({ domainId });
    if (outcome.kind === 'not_verified') return outcome.message;
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/workspace');
  return null;
}
