'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Takes whoever is signed in out of the open workspace; answers a sentence when it was refused, else null. */
export async function leave(): Promise<string | null> {
  try {
    await (await openScreens()).teammates.leave();
  } catch (error) {
    return errorMessage(error);
  }
  return null;
}
