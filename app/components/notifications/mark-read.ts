'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Marks a notification as read; answers a sentence when that did not work, else null. */
export async function markRead(id: string): Promise<string | null> {
  try {
    await (await openScreens()).notifications.markRead({ id });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/', 'layout');
  return null;
}

/** Marks all that came no later than `until` as read; answers a sentence when that did not work, else null. */
export async function markAllRead(until: Date): Promise<string | null> {
  try {
    await (await openScreens()).notifications.markAllRead({ until });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/', 'layout');
  return null;
}

/** Marks what the teammate was told of a conversation as read. That it did not work shows by the bell, and the next time it does. */
export async function markConversationRead(conversationId: string): Promise<void> {
  try {
    const wasUnread = await (await openScreens()).notifications.markConversationRead({ conversationId });
    if (wasUnread) revalidatePath('/', 'layout');
  } catch {
    // Nobody asked for it, so nobody is told.
  }
}
