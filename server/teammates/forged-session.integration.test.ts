import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('session', { scope: 'file' }, ({ service }) => signInParts(service.url));

test('the browser that signed in is recognized', async ({ session }) => {
  const { token, signature } = session;
  expect(await signedIn(session, encodeURIComponent(`${token}.${signature}`))).not.toBeNull();
});

test('an attacker with a session token from the database is not signed in without its signature', async ({
  session,
}) => {
  const { token, signature } = session;
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  for (const forged of [
    token,
    `${token}.`,
    `.${signature}`,
    `${token}.${other}`,
    `${token}.${signature.slice(0, 40)}`,
  ]) {
    expect(await signedIn(session, encodeURIComponent(forged))).toBeNull();
  }
});

test('an attacker’s undecodable cookie signs no one in', async ({ session }) => {
  expect(await signedIn(session, '%E0%A4%A')).toBeNull();
  expect(await findSignedIn(new Headers({ cookie: ';;=;%' }))).toBeNull();
});

test('an active session is extended once a day, and an expired session signs no one in', async ({
  session,
}) => {
  const { cookie, token } = session;
  const expiresAt = async () =>
    (await db().session.findUniqueOrThrow({ where: { token } })).expiresAt.getTime();
  const setTo = (days: number) =>
    db().session.update({ where: { token }, data: { expiresAt: new Date(Date.now() + days * DAY_MS) } });
  await setTo(12);
  expect(await findSignedIn(new Headers({ cookie }))).not.toBeNull();
  expect(await expiresAt()).toBeGreaterThan(Date.now() + 13.9 * DAY_MS);
  await setTo(-1);
  expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
});

const DAY_MS = 86_400_000;

type Session = Awaited<ReturnType<typeof signInParts>>;

/** Signs a teammate in. Returns the `Cookie` header, and the parts of its first cookie. */
async function signInParts(url: string) {
  const user = await makeUser();
  await addMember((await makeWorkspace()).id, user.id, 'agent');
  const cookie = await signInAs(url, user);
  const [first = ''] = cookie.split('; ');
  const name = first.slice(0, first.indexOf('='));
  const value = decodeURIComponent(first.slice(first.indexOf('=') + 1));
  const dot = value.lastIndexOf('.');
  return { cookie, name, token: value.slice(0, dot), signature: value.slice(dot + 1) };
}

const signedIn = ({ name }: Session, value: string) =>
  findSignedIn(new Headers({ cookie: `${name}=${value}` }));
