import type { IDToken } from 'openid-client';
import { describe, expect, test } from 'vitest';
import { identityOf } from '#server/administration/single-sign-on/provider.ts';

const claims: IDToken = {
  iss: 'https://login.acme.test',
  sub: '1',
  aud: 'client',
  iat: 1,
  exp: 2,
  email: 'Ada@Acme.test',
  email_verified: true,
};

describe('the person in an ID token', () => {
  test('has an address in lowercase, a short name and no organization at Google', () => {
    expect(identityOf({ ...claims, name: 'a'.repeat(200) })).toEqual({
      issuer: 'https://login.acme.test',
      subject: '1',
      email: 'ada@acme.test',
      name: 'a'.repeat(100),
      hasMfa: false,
      googleDomain: null,
    });
  });

  test.for([
    [{ amr: ['pwd', 'mfa'] }, true],
    [{ amr: ['pwd', 'otp'] }, false],
    [{ amr: 'mfa' }, false],
    [{ acr: 'phr' }, true],
    [{ acr: 'https://refeds.org/profile/mfa' }, true],
    [{ acr: '1' }, false],
    [{}, false],
  ] as const)('used several factors only if amr or acr say so: %o', ([more, hasMfa]) => {
    // A provider can send any values.
    expect(identityOf({ ...claims, ...(more as object) }).hasMfa).toBe(hasMfa);
  });

  test('is in an organization at Google, or has a private account there', () => {
    const atGoogle = { ...claims, iss: 'https://accounts.google.com' };
    expect(identityOf({ ...atGoogle, hd: 'Acme.test' }).googleDomain).toBe('acme.test');
    expect(identityOf(atGoogle).googleDomain).toBe('');
    expect(identityOf({ ...claims, hd: 'acme.test' }).googleDomain).toBeNull();
  });

  test.for([false, 'false', 1, null, undefined])('needs a confirmed address, not %o', (value) => {
    expect(() => identityOf({ ...claims, email_verified: value } as IDToken)).toThrow('does not confirm');
  });

  test('has an address whose domain Microsoft Entra ID verified', () => {
    const { email_verified: _none, ...entra } = claims;
    for (const xms_edov of [true, 1, '1', 'true'])
      expect(identityOf({ ...entra, xms_edov }).email).toBe('ada@acme.test');
    for (const xms_edov of [false, 0, '0', 'no']) expect(() => identityOf({ ...entra, xms_edov })).toThrow();
    expect(() => identityOf({ ...claims, email_verified: false, xms_edov: true })).toThrow();
  });
});
