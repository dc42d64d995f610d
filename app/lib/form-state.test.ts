import { expect, test } from 'vitest';
import { afterOutcome, INITIAL, textOf } from '#app/lib/form-state.ts';
import { refusedBy } from '#app/lib/outcome.ts';

/** A refusal as a procedure throws it, recognized by its fields. */
const invalid = (errors: Record<string, string[]>) =>
  Object.assign(new Error(Object.values(errors).flat()[0]), { refusal: 'invalid', errors });
const ADDRESS = 'The address must be an email address.';

function sent(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}
const form = sent({ email: 'nobody' });

test('shows an error at its field and retains the input', () => {
  expect(afterOutcome(INITIAL, refusedBy(invalid({ email: [ADDRESS] })), { form })).toEqual({
    values: { email: 'nobody' },
    fields: { email: ADDRESS },
    problem: null,
    done: false,
    value: null,
    attempt: 1,
  });
});

test('shows an error of an unknown field above the form', () => {
  const refused = refusedBy(invalid({ workspace: ['This workspace was deleted.'] }));
  expect(afterOutcome(INITIAL, refused, { form })).toMatchObject({
    fields: {},
    problem: 'This workspace was deleted.',
  });
});

test('shows an error of a hidden field above the form', () => {
  const refused = refusedBy(invalid({ token: ['This link is used up.'] }));
  const state = afterOutcome(INITIAL, refused, { form: sent({ token: 't', name: 'Ada' }), fields: ['name'] });
  expect(state).toMatchObject({ fields: {}, problem: 'This link is used up.', values: { name: 'Ada' } });
});

test('in the browser keeps secrets that were not refused, and never passwords', () => {
  const refused = refusedBy(invalid({ accessToken: ['Telegram does not know this token.'] }));
  const secrets = sent({ accessToken: 'a', appSecret: 'b', password: 'c', pageId: 'd' });
  expect(afterOutcome(INITIAL, refused, { form: secrets }).values).toEqual({ pageId: 'd' });
  expect(afterOutcome(INITIAL, refused, { form: secrets, keepsSecrets: true }).values).toEqual({
    appSecret: 'b',
    pageId: 'd',
  });
});

test('hides the message of an internal error', () => {
  const { problem } = afterOutcome(INITIAL, refusedBy(new Error('relation "users" does not exist')), {
    form,
  });
  expect(problem).toContain('on our side');
  expect(problem).not.toContain('relation');
});

test('each state has a new attempt number', () => {
  const first = afterOutcome(INITIAL, refusedBy(invalid({ email: [ADDRESS] })), { form });
  const second = afterOutcome(first, refusedBy(invalid({ email: [ADDRESS] })), { form });
  expect(second).toEqual({ ...first, attempt: 2 });
  expect(afterOutcome(second, { done: true, value: 7 }, { form })).toEqual({
    ...INITIAL,
    done: true,
    value: 7,
    attempt: 3,
  });
});

test('an attacker who sees the response learns no refused password', () => {
  const typed = sent({ email: 'ada@example.com', password: 'secret', newPassword: 'secret too' });
  const { values } = afterOutcome(INITIAL, refusedBy(invalid({ password: ['Wrong.'] })), { form: typed });
  expect(values).toEqual({ email: 'ada@example.com' });
});

test('reads a missing field or a file as an empty string', () => {
  const form = new FormData();
  form.set('name', ' Ada ');
  form.set('picture', new File(['x'], 'x.png'));
  expect(['name', 'picture', 'email'].map((name) => textOf(form, name))).toEqual([' Ada ', '', '']);
});
