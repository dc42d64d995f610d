'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { RemovalView } from '#server/people/teammates/views.ts';

/** What ends when somebody goes, as it is at this moment; or a sentence when it was refused. */
export async function showRemoval(userId: string): Promise<RemovalView | { problem: string }> {
  try {
    return await (await openScreens()).teammates.removal({ userId });
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
