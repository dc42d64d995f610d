'use server';

import { type Refused, refusedBy } from '#app/components/inbox/composer/answer-of.ts';
import { openScreens } from '#app/data/open-screens.ts';

/** Runs a workflow command in a conversation; answers why not, or null. */
export async function runCommand(run: {
  conversationId: string;
  command: string;
  arguments: string;
}): Promise<Refused | null> {
  try {
    await (await openScreens()).commands.run(run);
  } catch (error) {
    return refusedBy(error);
  }
  return null;
}
