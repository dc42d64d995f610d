import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { screensFor } from '#server/screens/router.ts';
import { type Credential, findKnownBrowser, signedValue } from '#server/teammates/known-browser.ts';
import { accountAtAddress } from '#server/teammates/limit-sign-in.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { newAddress, PASSWORD, signInAs, trySignIn } from '#test/clients/sign-in.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('the cookie of a known browser', () => {
  test('is hidden from scripts, sent to this site only, and lasts a year', async ({ service }) => {
    const { email } = await makeUser();
    const { headers } = await trySignIn(service.url, { email, password: PASSWORD });
    const line = headers.getSetCookie().find((each) => each.startsWith(`${NAME}=`));
    expect(line).toMatch(/; HttpOnly(;|$)/);
    expect(line).toMatch(/; SameSite=Strict(;|$)/);
    expect(line).toMatch(/; Max-Age=31536000(;|$)/);
    expect(line).toMatch(/; Path=\/(;|$)/);
    expect(line).not.toMatch(/; Domain=/i);
  });

  test('admits its account where strangers are refused', async ({ service }) => {
    const { email } = await makeUser();
    expect(await isLetThrough(service.url, email, knownBrowser(await signInAs(service.url, { email })))).toBe(
      true,
    );
    expect(await isLetThrough(service.url, email, '')).toBe(false);
  });

  test('admits up to eight teammates who share the browser', async ({ service }) => {
    const users = await Promise.all(Array.from({ length: 9 }, () => makeUser()));
    let value = '';
    for (const { id } of users) value = signedValue(value, await credentialOf(id), new Date());
    const cookie = `${NAME}=${value}`;
    expect(cookie.length).toBeLessThan(700);
    const knows = ({ email }: { email: string }) => findKnownBrowser(new Headers({ cookie }), email);
    const known = await Promise.all(users.map(knows));
    expect(known.map((id) => id !== undefined)).toEqual([false, ...Array(8).fill(true)]);
    const last = users.at(-1) ?? { email: '' };
    const next = await trySignIn(service.url, { email: last.email, password: PASSWORD }, { cookie });
    expect(knownBrowser(next.cookie).length).toBe(cookie.length);
    expect(await isLetThrough(service.url, users[1]?.email ?? '', knownBrowser(next.cookie))).toBe(true);
  });

  test('cannot be used as a session', async ({ service }) => {
    const { email } = await makeUser();
    const value = knownBrowser(await signInAs(service.url, { email })).slice(NAME.length + 1);
    for (const cookie of [`${NAME}=${value}`, `inbox.session_token=${value}`]) {
      expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
    }
  });

  test('is renewed in the browser that changes the password', async ({ service }) => {
    const { email } = await makeUser();
    const cookie = await signInAs(service.url, { email });
    const screens = await screensFor(new Headers({ cookie }));
    const { setCookies } = await screens.account.changePassword({
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    const renewed = knownBrowser(setCookies.map((line) => line.split(';', 1)[0]).join('; '));
    expect(await isLetThrough(service.url, email, renewed, NEW_PASSWORD)).toBe(true);
    expect(await isLetThrough(service.url, email, knownBrowser(cookie), NEW_PASSWORD)).toBe(false);
  });
});

describe('the attacker with a known-browser cookie', () => {
  test('of their own account is a stranger to another account', async ({ service }) => {
    const [own, victim] = [await makeUser(), await makeUser()];
    const cookie = knownBrowser(await signInAs(service.url, own));
    expect(await isLetThrough(service.url, victim.email, cookie)).toBe(false);
  });

  test('that was stolen gets ten more guesses, then those of a stranger', async ({ service }) => {
    const { email } = await makeUser();
    const cookie = knownBrowser(await signInAs(service.url, { email }));
    const headers = { 'x-forwarded-for': await usedUpAddress(email), cookie };
    const guesses = Array.from({ length: 15 }, () =>
      trySignIn(service.url, { email, password: 'a guess' }, headers),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
  });

  test('from before a password change is a stranger', async ({ service }) => {
    const { email } = await makeUser();
    const [stolen, own] = [await signInAs(service.url, { email }), await signInAs(service.url, { email })];
    const screens = await screensFor(new Headers({ cookie: own }));
    await screens.account.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD });
    expect(await isLetThrough(service.url, email, knownBrowser(stolen), NEW_PASSWORD)).toBe(false);
  });

  test('that is a year old is a stranger', async ({ service }) => {
    const { id, email } = await makeUser();
    const credential = await credentialOf(id);
    const make = (issuedAt: Date) => `${NAME}=${signedValue('', credential, issuedAt)}`;
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    expect(await isLetThrough(service.url, email, make(days(364)))).toBe(true);
    expect(await isLetThrough(service.url, email, make(days(366)))).toBe(false);
    expect(await isLetThrough(service.url, email, make(days(-1)))).toBe(false);
  });

  test.for([
    [
      'with one changed character',
      (value: string) => `${value.slice(0, -2)}${value.at(-2) === 'A' ? 'B' : 'A'}${value.at(-1)}`,
    ],
    ['truncated', (value: string) => value.slice(0, -1)],
    ['empty', () => ''],
    ['very long', () => 'A'.repeat(4_000)],
    ['that is malformed', () => '%00.%ff.;='],
  ] as const)('%s is a stranger', async ([_, change], { service }) => {
    const { email } = await makeUser();
    const value = knownBrowser(await signInAs(service.url, { email })).slice(NAME.length + 1);
    expect(await isLetThrough(service.url, email, `${NAME}=${change(value)}`)).toBe(false);
  });

  test('cannot sign a cookie with the session secret, as the key is derived from it', async ({ service }) => {
    const { id, email } = await makeUser();
    const { password } = await credentialOf(id);
    const value = knownBrowser(await signInAs(service.url, { email })).slice(NAME.length + 1);
    const head = Buffer.from(value, 'base64url').subarray(0, 20);
    const mac = createHmac('sha256', settings().SESSION_SECRET)
      .update(head)
      .update(`${id} ${password}`)
      .digest();
    expect(
      await isLetThrough(service.url, email, `${NAME}=${Buffer.concat([head, mac]).toString('base64url')}`),
    ).toBe(false);
  });
});

const NAME = 'inbox.known_browser';
const NEW_PASSWORD = 'another password for tests';

/** Returns an IP address that has used up its attempts for an account. */
async function usedUpAddress(email: string): Promise<string> {
  const address = newAddress();
  for (let i = 0; i < 10; i += 1) await consumeLimit('sign_in_failure', accountAtAddress(email, address));
  return address;
}

/** Returns whether a sign-in succeeds from an address where strangers are refused. */
async function isLetThrough(
  url: string,
  email: string,
  cookie: string,
  password = PASSWORD,
): Promise<boolean> {
  const headers = { 'x-forwarded-for': await usedUpAddress(email), cookie };
  return (await trySignIn(url, { email, password }, headers)).status === 200;
}

async function credentialOf(userId: string): Promise<Credential> {
  const { password } = await db().account.findFirstOrThrow({ where: { userId } });
  return { userId, password: password ?? '' };
}

/** Returns the cookie that stays in the browser after signing out. */
function knownBrowser(cookie: string): string {
  const found = cookie.split('; ').find((pair) => pair.startsWith(`${NAME}=`));
  if (found === undefined) throw new Error(`No cookie of a known browser in ${cookie}.`);
  return found;
}
