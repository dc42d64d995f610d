'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Deletes the open workspace, whose name was typed; answers a sentence when it was refused, else null. */
export async function deleteWorkspace(name: string): Promise<string | null> {
  try {
    await (await openScreens()).workspaces.delete({ name });
  } catch (error) {
    return errorMessage(error);
  }
  return null;
}
