'use server';

import { action } from '#app/data/action.ts';

export const markRead = action(null, async ({ notifications }, id: string) => {
  await notifications.markRead({ id });
});

/** Marks all notifications up to `until` as read. */
export const markAllRead = action(null, async ({ notifications }, until: Date) => {
  await notifications.markAllRead({ until });
});

/** Marks a conversation's notifications as read. Returns whether any were unread. */
export const markConversationRead = action(null, ({ notifications }, conversationId: string) =>
  notifications.markConversationRead({ conversationId }),
);
