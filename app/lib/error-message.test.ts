import { expect, test } from 'vitest';
import { errorMessage } from '#app/lib/error-message.ts';

const ours = /on our side/;

test('a refusal keeps its own words, also from inside a wrapping error', () => {
  const refusal = Object.assign(new Error('Only owners and admins may disconnect.'), {
    refusal: 'forbidden',
  });
  expect(errorMessage(refusal)).toBe('Only owners and admins may disconnect.');
  expect(errorMessage(new Error('wrapped', { cause: refusal }))).toBe(
    'Only owners and admins may disconnect.',
  );
});

test('a refusal of a procedure is known by its code', () => {
  const refusal = Object.assign(new Error('Sign in first.'), { code: 'UNAUTHORIZED' });
  expect(errorMessage(refusal)).toBe('Sign in first.');
});

test('a fault of ours never shows its own words', () => {
  expect(errorMessage(new Error('connect ECONNREFUSED 127.0.0.1:5432'))).toMatch(ours);
  expect(errorMessage(Object.assign(new Error('boom'), { code: 'INTERNAL_SERVER_ERROR' }))).toMatch(ours);
  expect(errorMessage('boom')).toMatch(ours);
});
