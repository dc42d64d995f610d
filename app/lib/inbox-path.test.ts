import { expect, test } from 'vitest';
import { inboxPath, readInboxView } from '#app/lib/inbox-path.ts';

test('a view survives its address', () => {
  const view = { status: 'solved', selected: '0193e1a0-0000-7000-8000-000000000001' } as const;
  const query = new URL(inboxPath(view), 'http://localhost').searchParams;
  expect(readInboxView(Object.fromEntries(query))).toEqual(view);
});

test('the inbox opens with the open conversations', () => {
  expect(readInboxView({})).toEqual({ status: 'open', selected: undefined });
  expect(readInboxView({ status: 'lost', selected: '' })).toEqual({ status: 'open', selected: undefined });
  expect(inboxPath({ status: 'open', selected: undefined })).toBe('/inbox');
});
