import { expect, test } from 'vitest';
import { failed, INITIAL, succeeded, textOf } from '#app/lib/form-state.ts';

/** A refusal as it comes out of a procedure: known by its fields. */
const invalid = (errors: Record<string, string[]>) =>
  Object.assign(new Error(Object.values(errors).flat()[0]), { refusal: 'invalid', errors });
const ADDRESS = 'The address must be an e-mail address.';
const sent = { values: { email: 'nobody' }, fields: ['email'] };

test('what is wrong with a field stands at the field, and what was typed stays', () => {
  expect(failed(INITIAL, invalid({ email: [ADDRESS] }), sent)).toEqual({
    values: { email: 'nobody' },
    fields: { email: ADDRESS },
    problem: null,
    done: false,
    attempt: 1,
  });
});

test('a sentence about something that is no field of the form is about the whole', () => {
  const state = failed(INITIAL, invalid({ workspace: ['This workspace was deleted.'] }), sent);
  expect(state).toMatchObject({ fields: {}, problem: 'This workspace was deleted.' });
});

test('a fault of ours is told without its own words', () => {
  const { problem } = failed(INITIAL, new Error('relation "users" does not exist'), sent);
  expect(problem).toContain('a fault on our side');
  expect(problem).not.toContain('relation');
});

test('each answer differs from the one before, also when it says the same', () => {
  const first = failed(INITIAL, invalid({ email: [ADDRESS] }), sent);
  const second = failed(first, invalid({ email: [ADDRESS] }), sent);
  expect(second).toEqual({ ...first, attempt: 2 });
  expect(succeeded(second)).toEqual({ ...INITIAL, done: true, attempt: 3 });
});

test('of a field that is missing or a file the empty text is read', () => {
  const form = new FormData();
  form.set('name', ' Ada ');
  form.set('picture', new File(['x'], 'x.png'));
  expect(['name', 'picture', 'email'].map((name) => textOf(form, name))).toEqual([' Ada ', '', '']);
});
