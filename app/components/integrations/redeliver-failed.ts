'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Has all sent again that failed lately; answers how many, or a sentence when it was refused. */
export async function redeliverFailed(
  hookId: string | undefined,
): Promise<{ count: number } | { problem: string }> {
  try {
    const count = await (await openScreens()).deliveries.redeliverFailed({ hookId });
    revalidatePath('/settings/integrations');
    return { count };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
