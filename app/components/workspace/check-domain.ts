'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';

/** Verifies a domain of the open workspace; answers a sentence on what was found instead, else null. */
export async function checkDomain(domainId: string): Promise<string | null> {
  try {
    const outcome = await (await openScreens()).workspaces.verifyDomain({ domainId });
    if (outcome.kind === 'not_verified') return outcome.message;
  } catch (error) {
    return refusalSentence(error);
  }
  revalidatePath('/settings/workspace');
  return null;
}
