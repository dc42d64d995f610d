'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';

/** Opens another workspace in this session; answers a sentence when it was refused, else null. */
export async function openWorkspace(workspaceId: string): Promise<string | null> {
  try {
    await (await openScreens()).session.openWorkspace({ workspaceId });
  } catch (error) {
    return refusalSentence(error);
  }
  return null;
}
