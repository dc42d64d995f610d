import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type DraftOf,
  forgetDrafts,
  keepDraft,
  lastSignOut,
  readDraft,
  withDraft,
} from '#app/components/composer/drafts.ts';

const OF: DraftOf = { userId: 'olivia', conversationId: 'order', kind: 'reply' };

beforeEach(() => {
  // As in a browser: methods that are not among the keys.
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, text: string) {
      this[key] = text;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  vi.stubGlobal('localStorage', Object.create(methods));
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

test('at sign-out every draft is removed, and other tabs can tell; nothing else is', () => {
  localStorage.setItem('theme', 'dark');
  keepDraft(OF, 'Hello');
  keepDraft({ ...OF, kind: 'note' }, 'Tiresome');
  const before = lastSignOut();
  forgetDrafts();
  expect(readDraft(OF)).toBe('');
  expect(lastSignOut()).not.toBe(before);
  expect(Object.keys(localStorage).sort()).toEqual(['signed-out', 'theme']);
  const first = lastSignOut();
  forgetDrafts();
  expect(lastSignOut()).not.toBe(first);
});

test('a browser that keeps nothing is no fault', () => {
  vi.stubGlobal('localStorage', undefined);
  keepDraft(OF, 'Hello');
  forgetDrafts();
  expect(readDraft(OF)).toBe('');
});

test('a text that comes back is put above what was typed since', () => {
  expect(withDraft('Hello\n', 'And more')).toBe('Hello\n\nAnd more');
  expect(withDraft('Hello\n', ' ')).toBe('Hello\n');
});
