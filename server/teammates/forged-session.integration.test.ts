import { beforeAll, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
const DAY_MS = 86_400_000;

let cookie: string;
let name: string;
let token: string;
let signature: string;

beforeAll(async () => {
  const user = await makeUser();
  await addMember((await makeWorkspace()).id, user.id, 'agent');
  cookie = await signInAs(service.url, user);
  const [first = ''] = cookie.split('; ');
  name = first.slice(0, first.indexOf('='));
  const value = decodeURIComponent(first.slice(first.indexOf('=') + 1));
  [token = '', signature = ''] = [
    value.slice(0, value.lastIndexOf('.')),
    value.slice(value.lastIndexOf('.') + 1),
  ];
});

const signedIn = (value: string) => findSignedIn(new Headers({ cookie: `${name}=${value}` }));

test('the browser that signed in is recognised', async () => {
  expect(await signedIn(encodeURIComponent(`${token}.${signature}`))).not.toBeNull();
});

test('an attacker with a session token from the database is not signed in without its signature', async () => {
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  for (const forged of [
    token,
    `${token}.`,
    `.${signature}`,
    `${token}.${other}`,
    `${token}.${signature.slice(0, 40)}`,
  ]) {
    expect(await signedIn(encodeURIComponent(forged))).toBeNull();
  }
});

test('an attacker’s undecodable cookie signs no one in', async () => {
  expect(await signedIn('%E0%A4%A')).toBeNull();
  expect(await findSignedIn(new Headers({ cookie: ';;=;%' }))).toBeNull();
});

test('an active session is extended once a day, and an expired session signs no one in', async () => {
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
