import { describe, expect, test } from 'vitest';
import { authenticateClient, isFromPlatform } from '#server/automation/oauth/authenticate-client.ts';
import { basic } from '#test/clients/token-client.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const ID = 'id:with%3Acolon';
const SECRET = 'first:secret%20+&=';
const SECOND = 'second é';
setTestSettings({ PLATFORM_CLIENT_ID: ID, PLATFORM_CLIENT_SECRET: `${SECRET},${SECOND}` });

const encoded = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);
const authenticate = (form: Record<string, string>, authorization?: string) => {
  const result = authenticateClient(new Map(Object.entries(form)), authorization);
  return result.ok ? 'platform' : result.error.error;
};
const byBasic = (id: string, secret: string) => authenticate({}, basic(id, secret).authorization);

describe('RFC 6749 §2.3.1: client authentication', () => {
  test('during a rotation either secret is valid, but only with the client id', () => {
    expect(authenticate({ client_id: ID, client_secret: SECRET })).toBe('platform');
    expect(authenticate({ client_id: ID, client_secret: SECOND })).toBe('platform');
    expect(authenticate({ client_id: `${ID}x`, client_secret: SECRET })).toBe('invalid_client');
    expect(authenticate({ client_id: ID, client_secret: `${SECRET},${SECOND}` })).toBe('invalid_client');
    expect(authenticate({ client_id: ID, client_secret: SECRET.toUpperCase() })).toBe('invalid_client');
    expect(authenticate({ client_id: ID })).toBe('invalid_client');
    expect(authenticate({ client_secret: SECRET })).toBe('invalid_client');
    expect(authenticate({})).toBe('invalid_client');
  });

  test('HTTP Basic accepts an encoded id and secret, as an id with a colon requires', () => {
    expect(byBasic(encoded(ID), encoded(SECRET))).toBe('platform');
    expect(byBasic(encoded(ID), encoded(SECOND))).toBe('platform');
    expect(byBasic(ID, SECRET)).toBe('invalid_client');
    expect(byBasic(encoded(ID), 'guessed')).toBe('invalid_client');
  });

  test('HTTP Basic accepts the alphabet of base64url, missing padding, and surrounding spaces', () => {
    const { authorization } = basic(encoded(ID), encoded(SECRET));
    const variants = [
      authorization.replaceAll('+', '-').replaceAll('/', '_'),
      authorization.replace(/=+$/, ''),
      authorization.replace('Basic ', 'BASIC   '),
      `${authorization} `,
    ];
    for (const variant of variants) expect(authenticate({}, variant)).toBe('platform');
  });

  test('a header of another scheme is ignored', () => {
    for (const other of ['Bearer x', 'Digest username="x"', 'Negotiate', 'basically eA==', '']) {
      expect(authenticate({ client_id: ID, client_secret: SECRET }, other)).toBe('platform');
      expect(authenticate({ client_id: ID, client_secret: 'guessed' }, other)).toBe('invalid_client');
    }
  });

  test.each(['', 'Basic', 'Basic ', 'Basic :', 'Basic *', 'Bearer x', `${SECRET}`, 'Basic eA==, Basic eQ=='])(
    'the header %j authenticates no client',
    (authorization) => {
      expect(authenticate({}, authorization)).toBe('invalid_client');
    },
  );

  test('an invalid encoding authenticates no client and causes no error', () => {
    expect(byBasic('%', '%E0%A4%A')).toBe('invalid_client');
    expect(authenticate({}, `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`)).toBe(
      'invalid_client',
    );
  });
});

describe('RFC 6749 §2.3: one authentication method per request', () => {
  test('a secret in the form beside the header is an invalid request, even if both are right', () => {
    const { authorization } = basic(encoded(ID), encoded(SECRET));
    expect(authenticate({ client_id: ID, client_secret: SECRET }, authorization)).toBe('invalid_request');
    expect(authenticate({ client_secret: 'x' }, authorization)).toBe('invalid_request');
    expect(authenticate({ client_id: ID }, authorization)).toBe('platform');
  });
});

describe('an invalid request comes from the platform', () => {
  const { authorization } = basic(encoded(ID), encoded(SECRET));
  const guessed = basic(encoded(ID), 'guessed').authorization;
  const from = (form: Record<string, string>, header?: string) =>
    isFromPlatform(new Map(Object.entries(form)), header);

  test('if it has the secret, in the form, the header, or both', () => {
    expect(from({ client_id: ID, client_secret: SECOND })).toBe(true);
    expect(from({}, authorization)).toBe(true);
    expect(from({ client_id: ID, client_secret: SECRET }, authorization)).toBe(true);
    expect(from({ client_id: ID, client_secret: 'guessed' }, authorization)).toBe(true);
  });

  test('but not with a missing or wrong secret, or the right one without the client id', () => {
    expect(from({})).toBe(false);
    expect(from({ client_id: ID })).toBe(false);
    expect(from({ client_secret: SECRET })).toBe(false);
    expect(from({ client_id: ID, client_secret: 'guessed' }, guessed)).toBe(false);
  });
});
