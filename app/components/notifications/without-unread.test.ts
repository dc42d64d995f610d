import { expect, test } from 'vitest';
import { withoutUnread } from '#app/components/notifications/without-unread.ts';
import type { NotificationView } from '#server/screens/notifications.ts';

const one = (id: string, isRead: boolean): NotificationView => ({
  id,
  sentence: 'A conversation was assigned to you.',
  href: null,
  createdAt: new Date(0),
  isRead,
});
const view = {
  newest: [one('new', false), one('newer', false), one('old', true)],
  unread: 30,
  hasUnread: true,
  announces: { desktop: true, sound: false },
};
const readOf = ({ newest }: typeof view) => newest.filter(({ isRead }) => isRead).map(({ id }) => id);

test.each([
  ['new', ['new', 'old'], 29],
  ['old', ['old'], 30],
  ['unknown', ['old'], 30],
  ['all', ['new', 'newer', 'old'], 0],
])('marking %s as read', (id, read, unread) => {
  const shown = withoutUnread(view, id);
  expect(readOf(shown)).toEqual(read);
  expect(shown.unread).toBe(unread);
});
