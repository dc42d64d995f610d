import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, test } from 'vitest';
import { parseSignedAddress, signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

const id = uuidv7();

test.each(['reply', 'bounce'] as const)(
  'a %s address can be parsed back into its kind, id and domain',
  (kind) => {
    const address = signedAddress(kind, id, 'acme.test');
    expect(address.length - '@acme.test'.length).toBeLessThanOrEqual(64);
    expect(parseSignedAddress(address)).toEqual({ kind, id, domain: 'acme.test' });
    // Mail servers may change the case.
    expect(parseSignedAddress(address.toUpperCase())).toEqual({ kind, id, domain: 'acme.test' });
  },
);

test('an attacker cannot forge a signed address, or derive one from another', () => {
  const address = signedAddress('reply', id, 'acme.test');
  const other = signedAddress('reply', uuidv7(), 'acme.test');
  for (let at = 'reply+'.length; at < address.indexOf('@'); at += 1) {
    const letter = address[at] === 'a' ? 'b' : 'a';
    expect(parseSignedAddress(address.slice(0, at) + letter + address.slice(at + 1))).toBe('forged');
  }
  expect(parseSignedAddress(address.replace('reply+', 'bounce+'))).toBe('forged');
  expect(parseSignedAddress(address.slice(0, 32) + other.slice(32))).toBe('forged');
  expect(parseSignedAddress('reply+x@acme.test')).toBe('forged');
  expect(parseSignedAddress(`reply+${'a'.repeat(1_000_000)}@acme.test`)).toBe('forged');
  setTestSettings({ SESSION_SECRET: 'another secret that is long enough to be one' });
  expect(parseSignedAddress(address)).toBe('forged');
});

test('other addresses are not parsed as signed addresses', () => {
  for (const address of ['support@acme.test', 'reply@acme.test', 'a+b@acme.test', '', '@', 'reply+']) {
    expect(parseSignedAddress(address)).toBeUndefined();
  }
});
