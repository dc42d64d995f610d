'use server';

import { revalidatePath } from 'next/cache';
import { action } from '#app/data/action.ts';

/** The bell is on every page. */
const EVERYWHERE = '/*';

/** Marks a notification as read. */
export const markRead = action(EVERYWHERE, async ({ notifications }, id: string) => {
  await notifications.markRead({ id });
});

/** Marks all that came no later than `until` as read. */
export const markAllRead = action(EVERYWHERE, async ({ notifications }, until: Date) => {
  await notifications.markAllRead({ until });
});

/** Marks the notifications about a conversation as read. Rendered again is only what showed them as unread. */
export const markConversationRead = action(null, async ({ notifications }, conversationId: string) => {
  if (await notifications.markConversationRead({ conversationId })) revalidatePath('/', 'layout');
});
