import { expect, test } from 'vitest';
import { errorMessage } from '#app/lib/error-message.ts';

const INTERNAL = /on our side/;

test('returns the message of a refusal, also inside a wrapping error', () => {
  const refusal = Object.assign(new Error('Only owners and admins may disconnect.'), {
    refusal: 'forbidden',
  });
  expect(errorMessage(refusal)).toBe('Only owners and admins may disconnect.');
  expect(errorMessage(new Error('wrapped', { cause: refusal }))).toBe(
    'Only owners and admins may disconnect.',
  );
});

test('recognizes a tRPC refusal by its code', () => {
  const refusal = Object.assign(new Error('Sign in first.'), { code: 'UNAUTHORIZED' });
  expect(errorMessage(refusal)).toBe('Sign in first.');
});

test('hides the message of an internal error', () => {
  expect(errorMessage(new Error('connect ECONNREFUSED 127.0.0.1:5432'))).toMatch(INTERNAL);
  expect(errorMessage(Object.assign(new Error('boom'), { code: 'INTERNAL_SERVER_ERROR' }))).toMatch(INTERNAL);
  expect(errorMessage('boom')).toMatch(INTERNAL);
});
