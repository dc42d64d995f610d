'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Switches the AI agent of the open workspace on or off; answers a sentence when it was refused, else null. */
export async function setEnabled(enabled: boolean): Promise<string | null> {
  try {
    await (await openScreens()).aiAgent.setEnabled({ enabled });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/ai-agent');
  return null;
}
