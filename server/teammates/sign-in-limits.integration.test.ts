import { afterEach, describe, expect, test, vi } from 'vitest';
import { db } from '#server/db.ts';
import { makeUser, PASSWORD } from '#test/factories.ts';
import { newAddress, trySignIn } from '#test/sign-in.ts';
import { withTestService } from '#test/with-service.ts';

const service = withTestService();

afterEach(() => {
  vi.useRealTimers();
});

const right = (email: string) => trySignIn(service.url, { email, password: PASSWORD });
const wrong = (email: string) => trySignIn(service.url, { email, password: 'a guess' });

describe('ten failures lock an account', () => {
  test('for the right password too, from wherever it comes, until a quarter of an hour is over', async () => {
    const { email } = await makeUser();
    const start = Date.now();
    for (let i = 0; i < 10; i += 1) expect((await wrong(email)).status).toBe(401);
    for (const spelled of [email, email.toUpperCase()]) {
      const locked = await right(spelled);
      expect([locked.status, locked.cookie]).toEqual([429, '']);
    }
    expect(await db().session.count({ where: { user: { email } } })).toBe(0);

    vi.useFakeTimers({ toFake: ['Date'], now: start + 14 * 60_000 });
    expect((await right(email)).status).toBe(429);
    vi.useFakeTimers({ toFake: ['Date'], now: start + 16 * 60_000 });
    expect((await right(email)).status).toBe(200);
  });

  test('and no other account; an unknown one is locked just so', async () => {
    const [victim, other] = [await makeUser(), await makeUser()];
    await Promise.all(Array.from({ length: 10 }, () => wrong(victim.email)));
    expect((await right(other.email)).status).toBe(200);
    const unknown = 'nobody@acme.test';
    await Promise.all(Array.from({ length: 10 }, () => wrong(unknown)));
    const [lockedUnknown, lockedKnown] = [await wrong(unknown), await wrong(victim.email)];
    expect([lockedUnknown.status, lockedUnknown.body]).toEqual([lockedKnown.status, lockedKnown.body]);
  });

  test('of which a success forgets those before', async () => {
    const { email } = await makeUser();
    for (let round = 0; round < 2; round += 1) {
      const failures = await Promise.all(Array.from({ length: 9 }, () => wrong(email)));
      expect(failures.map(({ status }) => status)).toEqual(Array(9).fill(401));
      expect((await right(email)).status).toBe(200);
    }
  });

  test('the attacker gets ten guesses, not forty, by guessing from many places at the same time', async () => {
    const { email } = await makeUser();
    const guesses = Array.from({ length: 40 }, () => wrong(email));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });
});

describe('thirty attempts a minute come from one address', () => {
  test('the 31st answers 429, whatever addresses are claimed, and counts against no account', async () => {
    const address = newAddress();
    const { email } = await makeUser();
    // What is no e-mail address is refused without the work of looking at a password.
    const attempts = Array.from({ length: 30 }, (_, i) =>
      trySignIn(
        service.url,
        { email: `nobody-${i}`, password: 'a guess' },
        { 'x-forwarded-for': `${newAddress()}, ${address}` },
      ),
    );
    expect(new Set((await Promise.all(attempts)).map(({ status }) => status))).toEqual(new Set([400]));
    const claims = [address, `${newAddress()}, ${address}`].map((claim) => ({ 'x-forwarded-for': claim }));
    for (const headers of [...claims, { ...claims[0], 'x-client-address': newAddress() }]) {
      for (let i = 0; i < 5; i += 1) {
        const { status, cookie } = await trySignIn(service.url, { email, password: PASSWORD }, headers);
        expect([status, cookie]).toEqual([429, '']);
      }
    }
    expect((await right(email)).status).toBe(200);
  });
});
