import { expect, test } from 'vitest';
import { fromFormFields, toFormFields } from '#server/automation/oauth/consent-form.ts';

/**
 * Normalizes the value of a hidden field as a browser does when it submits a form (HTML, form submission).
 */
function submitted(value: string): string {
  return value.replaceAll(/\r\n|\r|\n/g, '\r\n').replaceAll('\0', '\uFFFD');
}

test.each(['abc', 'a b+c&d=e%20f', 'line\nbreak\r\rand\r\nmore', 'nothing \0 here', '🙂 ünïcode', '100%'])(
  'a state of %j is unchanged after a round trip through the form',
  (state) => {
    const request = new URLSearchParams({ client_id: 'platform', state });
    const fields = toFormFields(request).map(({ name, value }): [string, string] => [name, submitted(value)]);
    expect([...fromFormFields(new URLSearchParams(fields))]).toEqual([...request]);
  },
);

test('a state that our page did not encode is accepted as it is', () => {
  expect(fromFormFields(new URLSearchParams({ state: '%zz' })).get('state')).toBe('%zz');
});
