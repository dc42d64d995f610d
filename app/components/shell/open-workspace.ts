'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Opens another workspace in this session; answers a sentence when it was refused, else null. */
export async function openWorkspace(workspaceId: string): Promise<string | null> {
  try {
    await (await openScreens()).session.openWorkspace({ workspaceId });
  } catch (error) {
    return errorMessage(error);
  }
  return null;
}
