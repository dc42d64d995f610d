import { expect, test } from 'vitest';
import { refusalProblems } from '#app/lib/outcome.ts';

/** A refusal as the server makes it, in another copy of its module. */
function refused(message: string, errors?: Record<string, string[]>): Error {
  return Object.assign(new Error(message), { refusal: errors ? 'invalid' : 'forbidden', errors });
}

test('a refused field has its first sentence under its name, and nothing is said of the whole', () => {
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

test('a refusal that names no field is about the whole', () => {
  expect(refusalProblems(refused('Only an owner can do this.'))).toEqual({
    whole: 'Only an owner can do this.',
    fields: {},
  });
});

test('a fault of ours is about the whole and keeps its details to itself', () => {
  const { whole, fields } = refusalProblems(new TypeError('x is undefined'));
  expect(whole).toMatch(/on our side/);
  expect(fields).toEqual({});
});
