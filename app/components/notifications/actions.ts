import { change } from '#app/components/live/page-data.ts';

export const markRead = change(({ notifications }, id: string) => notifications.markRead.mutate({ id }));

/** Marks all notifications up to `until` as read. */
export const markAllRead = change(({ notifications }, until: Date) =>
  notifications.markAllRead.mutate({ until }),
);

/** Marks a conversation's notifications as read. Returns whether any were unread. */
export const markConversationRead = change(({ notifications }, conversationId: string) =>
  notifications.markConversationRead.mutate({ conversationId }),
);
