import type { NotificationsView } from '#server/screens/notifications.ts';

/** Optimistic update: returns the view with one notification or all marked as read. */
export function withoutUnread(view: NotificationsView, id: string | 'all'): NotificationsView {
  const newest = view.newest.map((one) => (id === 'all' || one.id === id ? { ...one, isRead: true } : one));
  if (id === 'all') return { ...view, newest, unread: 0 };
  const wasUnread = view.newest.some((one) => one.id === id && !one.isRead);
  return { ...view, newest, unread: wasUnread ? Math.max(0, view.unread - 1) : view.unread };
}
