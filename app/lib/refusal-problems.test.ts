import { expect, test } from 'vitest';
import { refusalProblems } from '#app/lib/outcome.ts';

/** A refusal as thrown by another copy of the server's module. */
function refused(message: string, errors?: Record<string, string[]>): Error {
  return Object.assign(new Error(message), { refusal: errors ? 'invalid' : 'forbidden', errors });
}

test('returns the first error of each field, and none for the whole form', () => {
  const error = new Error('wrapped', {
    cause: refused('Give an address.', {
      address: ['Give an address.', 'And another thing.'],
      name: ['Give a name.'],
    }),
  });
  expect(refusalProblems(error)).toEqual({
    whole: null,
    fields: { address: 'Give an address.', name: 'Give a name.' },
  });
});

test('returns a refusal without fields as an error of the whole form', () => {
  expect(refusalProblems(refused('Only an owner can do this.'))).toEqual({
    whole: 'Only an owner can do this.',
    fields: {},
  });
});

test('returns an internal error as an error of the whole form, without details', () => {
  const { whole, fields } = refusalProblems(new TypeError('x is undefined'));
  expect(whole).toMatch(/on our side/);
  expect(fields).toEqual({});
});
