'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Tells the AI agent to stay out of a conversation or not; answers a sentence when it was refused, else null. */
export async function setSilenced(id: string, silenced: boolean): Promise<string | null> {
  try {
    await (await openScreens()).aiAgent.setSilenced({ id, silenced });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/inbox');
  return null;
}
