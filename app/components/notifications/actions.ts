'use server';

import { action } from '#app/data/action.ts';

/** Marks a notification as read. */
export const markRead = action(null, async ({ notifications }, id: string) => {
  await notifications.markRead({ id });
});

/** Marks all that came no later than `until` as read. */
export const markAllRead = action(null, async ({ notifications }, until: Date) => {
  await notifications.markAllRead({ until });
});

/** Marks the notifications about a conversation as read; returns whether there were any. */
export const markConversationRead = action(null, ({ notifications }, conversationId: string) =>
  notifications.markConversationRead({ conversationId }),
);
