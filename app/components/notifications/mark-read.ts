'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';

/** Marks a notification as read; answers a sentence when that did not work, else null. */
export async function markRead(id: string): Promise<string | null> {
  try {
    await (await openScreens()).notifications.markRead({ id });
  } catch (error) {
    return refusalSentence(error);
  }
  revalidatePath('/', 'layout');
  return null;
}

/** Marks all that came no later than `until` as read; answers a sentence when that did not work, else null. */
export async function markAllRead(until: Date): Promise<string | null> {
  try {
    await (await openScreens()).notifications.markAllRead({ until });
  } catch (error) {
    return refusalSentence(error);
  }
  revalidatePath('/', 'layout');
  return null;
}
