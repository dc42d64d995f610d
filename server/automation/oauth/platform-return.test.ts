import { describe, expect, test } from 'vitest';
import { platformReturn } from '#server/automation/oauth/authorize-response.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

const RETURN_URL = `${PLATFORM.returnUrl}?app=1`;
setTestSettings({ PLATFORM_RETURN_URL: RETURN_URL });

describe('RFC 6749 §4.1.2: the redirect to the platform', () => {
  test('has the registered address, with parameters added to existing ones', () => {
    expect(platformReturn({ code: 'kzc_x', state: 's' })).toBe(`${RETURN_URL}&code=kzc_x&state=s`);
  });

  test('omits undefined parameters, and has no iss', () => {
    expect(platformReturn({ error: 'access_denied', state: undefined })).toBe(
      `${RETURN_URL}&error=access_denied`,
    );
  });

  test.each([
    'a b+c&d=e#f?g',
    '//attacker.test',
    '\r\nLocation: https://attacker.test',
    '👩‍👩‍👧 é',
    '\u0000',
  ])('has the state %j unchanged, and an attacker cannot redirect elsewhere with it', (state) => {
    const url = new URL(platformReturn({ code: 'kzc_x', state }));
    expect(`${url.origin}${url.pathname}`).toBe(PLATFORM.returnUrl);
    expect([...url.searchParams]).toEqual([
      ['app', '1'],
      ['code', 'kzc_x'],
      ['state', state],
    ]);
    expect(url.hash).toBe('');
    expect(url.href).toMatch(/^[\x21-\x7e]+$/);
  });
});
