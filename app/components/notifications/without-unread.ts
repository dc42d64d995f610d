import type { NotificationsView } from '#server/screens/notifications.ts';

/** What the bell shows as soon as one notification, or all, are marked as read, before the server has said so. */
export function withoutUnread(view: NotificationsView, id: string | 'all'): NotificationsView {
  const newest = view.newest.map((one) => (id === 'all' || one.id === id ? { ...one, isRead: true } : one));
  if (id === 'all') return { newest, unread: 0 };
  const wasUnread = view.newest.some((one) => one.id === id && !one.isRead);
  return { newest, unread: wasUnread ? Math.max(0, view.unread - 1) : view.unread };
}
