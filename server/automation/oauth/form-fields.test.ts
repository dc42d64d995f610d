import { expect, test } from 'vitest';
import { fromFormFields, toFormFields } from '#server/automation/oauth/consent-form.ts';

/** What a browser does to the value of a hidden field when it submits a form (HTML, form submission). */
function submitted(value: string): string {
  return value.replaceAll(/\r\n|\r|\n/g, '\r\n').replaceAll('\0', '\uFFFD');
}

test.each(['abc', 'a b+c&d=e%20f', 'line\nbreak\r\rand\r\nmore', 'nothing \0 here', '🙂 ünïcode', '100%'])(
  'a state of %j comes back from the form as it went in',
  (state) => {
    const request = new URLSearchParams({ client_id: 'platform', state });
    const fields = toFormFields(request).map(({ name, value }): [string, string] => [name, submitted(value)]);
    expect([...fromFormFields(new URLSearchParams(fields))]).toEqual([...request]);
  },
);

test('a state that our page did not encode is taken as it is', () => {
  expect(fromFormFields(new URLSearchParams({ state: '%zz' })).get('state')).toBe('%zz');
});
