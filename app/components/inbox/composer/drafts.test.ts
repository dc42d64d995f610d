import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DraftOf, keepDraft, readDraft, withDraft } from '#app/components/inbox/composer/drafts.ts';

const OF: DraftOf = { userId: 'olivia', conversationId: 'order', kind: 'reply' };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a draft is kept for one teammate, conversation and kind', () => {
  keepDraft(OF, 'Hello');
  expect(readDraft(OF)).toBe('Hello');
  const others: Partial<DraftOf>[] = [{ userId: 'ada' }, { conversationId: 'return' }, { kind: 'note' }];
  for (const other of others) expect(readDraft({ ...OF, ...other })).toBe('');
  keepDraft(OF, '');
  expect(readDraft(OF)).toBe('');
});

test('a browser that keeps nothing is no fault', () => {
  vi.stubGlobal('localStorage', undefined);
  keepDraft(OF, 'Hello');
  expect(readDraft(OF)).toBe('');
});

test('a text that comes back stands above what was typed since', () => {
  expect(withDraft('Hello\n', 'And more')).toBe('Hello\n\nAnd more');
  expect(withDraft('Hello\n', ' ')).toBe('Hello\n');
});
