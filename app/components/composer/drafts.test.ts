import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  clearDrafts,
  type DraftOf,
  draftedConversations,
  lastSignOut,
  onDraftStored,
  readDraft,
  readUsedReplies,
  saveDraft,
  saveUsedReplies,
  withDraft,
} from '#app/components/composer/drafts.ts';

const OF: DraftOf = { userId: 'olivia', conversationId: 'order', kind: 'reply' };

beforeEach(stubStorage);
afterEach(() => vi.unstubAllGlobals());

test('stores a draft per teammate, conversation and kind', () => {
  saveDraft(OF, 'Hello');
  expect(readDraft(OF)).toBe('Hello');
  const others: Partial<DraftOf>[] = [{ userId: 'ada' }, { conversationId: 'return' }, { kind: 'note' }];
  for (const other of others) expect(readDraft({ ...OF, ...other })).toBe('');
  saveDraft(OF, '');
  expect(readDraft(OF)).toBe('');
});

test('lists the conversations in which a teammate left a draft, and tells when that changes', () => {
  const changes = vi.fn();
  const stop = onDraftStored(changes);
  saveDraft(OF, 'Hello');
  saveUsedReplies(OF, ['greeting']);
  saveDraft({ ...OF, conversationId: 'return', kind: 'note' }, 'Ask finance');
  saveDraft({ ...OF, conversationId: 'blank' }, ' \n');
  saveDraft({ ...OF, conversationId: 'other', userId: 'ada' }, 'Hello');
  expect([...draftedConversations('olivia')]).toEqual(['order', 'return']);
  saveDraft(OF, '');
  expect([...draftedConversations('olivia')]).toEqual(['return']);
  expect(changes).toHaveBeenCalledTimes(5);
  stop();
  clearDrafts();
  expect(draftedConversations('olivia').size).toBe(0);
  vi.stubGlobal('localStorage', undefined);
  expect(draftedConversations('olivia').size).toBe(0);
});

test('stores the saved replies that a draft used, and removes them with its text', () => {
  saveDraft(OF, 'Hello');
  saveUsedReplies(OF, ['greeting', 'refund']);
  expect(readUsedReplies(OF)).toEqual(['greeting', 'refund']);
  saveDraft(OF, '');
  expect(readUsedReplies(OF)).toEqual([]);
});

test('sign-out removes every draft and only drafts, and notifies other tabs', () => {
  localStorage.setItem('theme', 'dark');
  saveDraft(OF, 'Hello');
  saveDraft({ ...OF, kind: 'note' }, 'Tiresome');
  const before = lastSignOut();
  clearDrafts();
  expect(readDraft(OF)).toBe('');
  expect(lastSignOut()).not.toBe(before);
  expect(Object.keys(localStorage).sort()).toEqual(['signed-out', 'theme']);
  const first = lastSignOut();
  clearDrafts();
  expect(lastSignOut()).not.toBe(first);
});

test('works without browser storage', () => {
  vi.stubGlobal('localStorage', undefined);
  saveDraft(OF, 'Hello');
  clearDrafts();
  expect(readDraft(OF)).toBe('');
});

test('puts restored text above newer text', () => {
  expect(withDraft('Hello\n', 'And more')).toBe('Hello\n\nAnd more');
  expect(withDraft('Hello\n', ' ')).toBe('Hello\n');
});

function stubStorage(): void {
  // As in a browser, the methods are not among the keys.
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
}
