import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { signIn, signOut } from '#server/teammates/sign-in.ts';
import { findSignedIn, sessionCookieHeader } from '#server/teammates/signed-in.ts';
import { newAddress, PASSWORD } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

// An https address, as in production. The cookies do not depend on the test's socket.
const test = serviceTest.extend('settings', { scope: 'file' }, () => ({ BASE_URL: 'https://inbox.test' }));

describe('signing in through the form', () => {
  test('sets cookies that open the session, and stores the address and the browser', async () => {
    const workspace = await makeWorkspace();
    const teammate = await makeUser();
    await addMember(workspace.id, teammate.id, 'viewer');
    const { headers } = await signInByForm(` ${teammate.email} `);
    const signedIn = await findSignedIn(headers);
    expect(signedIn).toMatchObject({ user: teammate, workspace: { id: workspace.id, role: 'viewer' } });
    const [session] = await db().session.findMany({ where: { userId: teammate.id } });
    expect(session?.userAgent).toBe('A browser');
  });

  test.for<[string, string]>([
    ['Jan@Müller.example', 'jan@xn--mller-kva.example'],
    ['ivan@пример.рф', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['R&D..team@acme.example', 'r&d..team@acme.example'],
  ])('accepts %s, which can be invited', async ([typed, email]) => {
    const { id } = await makeUser();
    await db().user.update({ where: { id }, data: { email } });
    const { headers } = await signInByForm(typed);
    expect((await findSignedIn(headers))?.user).toMatchObject({ id, email });
    expect(await signIn(form(), { email: typed, password: 'a guess' })).toEqual(WRONG);
  });

  test('RFC 6265 §4.1.2.5: cookies over https are Secure, and their names say so', async () => {
    const { email } = await makeUser();
    const { setCookies } = await signInByForm(email);
    const names = setCookies.map((line) => line.split('=', 1)[0]).sort();
    expect(names).toEqual(['__Secure-inbox.known_browser', '__Secure-inbox.session_token']);
    for (const line of setCookies) {
      expect(line).toMatch(/; Secure(;|$)/);
      expect(line).toMatch(/; HttpOnly(;|$)/);
      expect(line).toMatch(/; SameSite=(Lax|Strict)(;|$)/);
    }
  });

  test('sets a cookie that browsers keep while the session is extended, and not only for its first 14 days', async () => {
    const { setCookies } = await signInByForm((await makeUser()).email);
    // The second is set by passkeys, second steps and identity providers.
    for (const line of [...setCookies, await sessionCookieHeader('token')]) {
      const seconds = Number(/; Max-Age=(\d+)(;|$)/.exec(line)?.[1]);
      expect(seconds, line).toBeGreaterThanOrEqual(365 * 86_400);
    }
  });

  test('responds in the same way to a wrong password, an unknown account and an invalid email', async () => {
    const { email } = await makeUser();
    expect(await signIn(form(), { email, password: 'a guess' })).toEqual(WRONG);
    expect(await signIn(form(), { email: 'nobody@acme.test', password: 'a guess' })).toEqual(WRONG);
    expect(await signIn(form(), { email: 'no address', password: 'a guess' })).toEqual(WRONG);
    expect(await signIn(form(), { email: '', password: '' })).toEqual(WRONG);
  });

  test('is limited like the API: an attacker is refused after ten failures, a known browser is not', async () => {
    const { email } = await makeUser();
    const here = { [CLIENT_ADDRESS_HEADER]: newAddress() };
    const cookie = (await signInByForm(email)).headers.get('cookie') ?? '';
    await Promise.all(Array.from({ length: 10 }, () => signIn(form(here), { email, password: 'a guess' })));
    expect(await signIn(form(here), { email, password: PASSWORD })).toEqual({
      kind: 'refused',
      message:
        'Too many attempts to sign in. Wait a few minutes and try again, or reset your password by email.',
    });
    expect((await signIn(form({ ...here, cookie }), { email, password: PASSWORD })).kind).toBe('signed_in');
  });

  test('is limited per IP address as the server determined it', async () => {
    const address = { [CLIENT_ADDRESS_HEADER]: newAddress() };
    const attempts = Array.from({ length: 30 }, (_, i) =>
      signIn(form(address), { email: `nobody-${i}`, password: 'a guess' }),
    );
    expect(await Promise.all(attempts)).toEqual(Array(30).fill(WRONG));
    const { email } = await makeUser();
    expect((await signIn(form(address), { email, password: PASSWORD })).kind).toBe('refused');
    expect((await signIn(form(), { email, password: PASSWORD })).kind).toBe('signed_in');
  });
});

describe('signing out through the form', () => {
  test('ends the session on the server and removes the cookie from the browser', async () => {
    const { email } = await makeUser();
    const { headers } = await signInByForm(email);
    const elsewhere = await signInByForm(email);
    const { setCookies } = await signOut(headers);
    expect(setCookies.some((line) => /session_token=;.*Max-Age=0/.test(line))).toBe(true);
    expect(await findSignedIn(headers)).toBeNull();
    expect(await findSignedIn(elsewhere.headers)).not.toBeNull();
  });

  test('without a session is not an error', async () => {
    await expect(signOut(new Headers())).resolves.toEqual({ setCookies: expect.any(Array) });
  });
});

const form = (headers: Record<string, string> = {}) =>
  new Headers({ [CLIENT_ADDRESS_HEADER]: newAddress(), 'user-agent': 'A browser', ...headers });
const WRONG = {
  kind: 'refused',
  message: 'The email or password is incorrect. Check both and try again.',
};

/** Signs in through the form and returns the `Cookie` header of later requests. */
async function signInByForm(email: string) {
  const result = await signIn(form(), { email, password: PASSWORD });
  if (result.kind === 'refused') throw new Error(result.message);
  const cookie = result.setCookies.map((line) => line.split(';', 1)[0]).join('; ');
  return { setCookies: result.setCookies, headers: new Headers({ cookie }) };
}
