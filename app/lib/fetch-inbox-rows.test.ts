import { expect, test } from 'vitest';
import { joinPages, readInboxPage } from '#app/lib/fetch-inbox-rows.ts';
import type { InboxRow } from '#server/inbox/conversations/views.ts';

const row = (id: string, subject = id): InboxRow => ({
  id,
  subject,
  preview: null,
  status: 'open',
  channel: 'email',
  contactName: null,
  contactClaimed: false,
  assigneeName: null,
  lastMessageAt: new Date('2026-11-21T12:00:00.000Z'),
  tags: [],
  dueAt: null,
});

test('a page that came as JSON is the page that was sent', () => {
  const page = { rows: [row('a'), { ...row('b'), dueAt: new Date() }], nextCursor: '1-b' };
  expect(readInboxPage(JSON.parse(JSON.stringify(page)))).toEqual(page);
});

test('a conversation that moved to the top between two pages stands once', () => {
  const joined = joinPages(
    { rows: [row('c', 'new'), row('a')], nextCursor: '1-a' },
    { rows: [row('b'), row('c', 'old')], nextCursor: null },
  );
  expect(joined).toEqual({ rows: [row('c', 'new'), row('a'), row('b')], nextCursor: null });
});
