import { expect, test } from 'vitest';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';

const ours = /fault on our side/;

test('a refusal is told in its own words, also from inside a wrapping error', () => {
  const refusal = Object.assign(new Error('Only owners and admins may disconnect.'), {
    refusal: 'forbidden',
  });
  expect(refusalSentence(refusal)).toBe('Only owners and admins may disconnect.');
  expect(refusalSentence(new Error('wrapped', { cause: refusal }))).toBe(
    'Only owners and admins may disconnect.',
  );
});

test('a refusal of a procedure is known by its code', () => {
  const refusal = Object.assign(new Error('Sign in first.'), { code: 'UNAUTHORIZED' });
  expect(refusalSentence(refusal)).toBe('Sign in first.');
});

test('a fault of ours never shows its own words', () => {
  expect(refusalSentence(new Error('connect ECONNREFUSED 127.0.0.1:5432'))).toMatch(ours);
  expect(refusalSentence(Object.assign(new Error('boom'), { code: 'INTERNAL_SERVER_ERROR' }))).toMatch(ours);
  expect(refusalSentence('boom')).toMatch(ours);
});
