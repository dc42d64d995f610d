import { expect, test } from 'vitest';
import { attemptWords } from '#app/components/integrations/log-labels.ts';

test.each([
  [{ outcome: 'rejected', statusCode: 404 }, 'Refused (404)'],
  [{ outcome: 'unreachable', statusCode: null }, 'Could not connect'],
  [{ outcome: 'unreachable', statusCode: null, certificate: 'untrusted' }, 'Certificate not trusted'],
  [{ outcome: 'unreachable', statusCode: null, certificate: 'expired' }, 'Certificate expired'],
] as const)('labels the last attempt: %j', (attempt, words) => {
  expect(attemptWords(attempt)).toBe(words);
});
