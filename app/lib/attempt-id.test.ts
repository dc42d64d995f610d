import { expect, test } from 'vitest';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';

test('a repeated attempt keeps its id until it is confirmed', () => {
  const first = attemptId('reply:a', { content: 'Hello' });
  expect(attemptId('reply:a', { content: 'Hello' })).toBe(first);
  endAttempt('reply:a');
  expect(attemptId('reply:a', { content: 'Hello' })).not.toBe(first);
});

test('other content, or another form, gets another id', () => {
  const first = attemptId('reply:b', { content: 'Hello' });
  expect(attemptId('note:b', { content: 'Hello' })).not.toBe(first);
  const changed = attemptId('reply:b', { content: 'Hello, Ada' });
  expect(changed).not.toBe(first);
  expect(attemptId('reply:b', { content: 'Hello, Ada' })).toBe(changed);
});
