import { afterEach, expect, test, vi } from 'vitest';
import { readLastSeen, readToken, writeLastSeen, writeToken } from '#app/components/web-chat/chat-storage.ts';

afterEach(() => vi.unstubAllGlobals());

test('in a frame without storage, the page remembers its visitor and the answers that they have seen', () => {
  const refuse = () => {
    throw new DOMException('The request was denied.', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  expect([readToken('shop'), readLastSeen('shop')]).toEqual([null, null]);
  writeToken('shop', 'token');
  writeLastSeen('shop', 'answer');
  expect([readToken('shop'), readLastSeen('shop')]).toEqual(['token', 'answer']);
  writeToken('shop', null);
  expect(readToken('shop')).toBeNull();
});
