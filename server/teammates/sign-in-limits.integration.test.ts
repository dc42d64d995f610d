import { stat } from 'node:fs/promises';
import { afterEach, describe, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { auth } from '#server/teammates/auth.ts';
import { accountKey } from '#server/teammates/limit-sign-in.ts';
import { newAddress, PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { later } from '#test/fixtures/later.ts';
import { test } from '#test/fixtures/service-test.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the attacker who guesses a password from one address', () => {
  test('gets ten guesses in 15 minutes, even in parallel', async ({ service }) => {
    const [{ email }, address] = [await makeUser(), newAddress()];
    const start = performance.now();
    const statuses = await guess(service.url, email, 25, () => ({ address }));
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(15).fill(429)]);
    for (const spelled of [email, email.toUpperCase()]) {
      const refused = await right(service.url, spelled, { address });
      expect([refused.status, refused.cookie]).toEqual([429, '']);
      const passedSeconds = (performance.now() - start) / 1_000;
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(
        900 - Math.ceil(passedSeconds),
      );
    }
    expect(await db().session.count({ where: { user: { email } } })).toBe(0);
    later(16 * 60);
    expect((await right(service.url, email, { address })).status).toBe(200);
  });

  test('locks no one out: the owner can sign in, from a known browser and from a new one', async ({
    service,
  }) => {
    const [{ email }, address] = [await makeUser(), newAddress()];
    const { cookie } = await right(service.url, email);
    expect(await guess(service.url, email, 15, () => ({ address }))).toContain(429);
    expect((await right(service.url, email)).status).toBe(200);
    expect((await right(service.url, email, { cookie })).status).toBe(200);
    expect((await right(service.url, email, { cookie, address })).status).toBe(200);
    expect((await right(service.url, email, { address })).status).toBe(429);
  });

  test('is refused in the same way for an unknown account', async ({ service }) => {
    const [{ email }, unknown] = [await makeUser(), 'nobody@acme.test'];
    const [known, none] = [newAddress(), newAddress()];
    await guess(service.url, email, 10, () => ({ address: known }));
    await guess(service.url, unknown, 10, () => ({ address: none }));
    const responses = [
      await wrong(service.url, email, { address: known }),
      await wrong(service.url, unknown, { address: none }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([429, 429]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });

  test('has earlier failures reset by a success', async ({ service }) => {
    const [{ email }, address] = [await makeUser(), newAddress()];
    for (let round = 0; round < 2; round += 1) {
      expect(await guess(service.url, email, 9, () => ({ address }))).toEqual(Array(9).fill(401));
      expect((await right(service.url, email, { address })).status).toBe(200);
    }
  });
});

describe('the attacker who guesses the password of one account from many addresses', () => {
  test('is slowed down, whether the account exists or not', async ({ service }) => {
    for (const email of [(await makeUser()).email, 'nobody.at.all@acme.test']) {
      await failBefore(email, 60);
      expect(await guess(service.url, email, 5)).toEqual(Array(5).fill(401));
      const start = performance.now();
      expect((await wrong(service.url, email)).status).toBe(401);
      expect(performance.now() - start).toBeGreaterThan(1_600);
    }
  });

  test('delays the owner briefly in a new browser, and not in a known one', async ({ service }) => {
    const { email } = await makeUser();
    const { cookie } = await right(service.url, email);
    await failBefore(email, 60);
    const sent = await statementsOf(async () =>
      expect((await right(service.url, email, { cookie })).status).toBe(200),
    );
    const counted = sent.flatMap(({ values }) => values).filter((value) => /^sign_in/.test(String(value)));
    expect(new Set(counted.map((value) => String(value).split(':', 1)[0]))).toEqual(
      new Set(['sign_in_browser']),
    );
    const start = performance.now();
    expect((await right(service.url, email)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(1_100);
  });

  test('has every guess counted, so that parallel guesses are slowed down too', async ({ service }) => {
    const { email } = await makeUser();
    expect(await guess(service.url, email, 12)).toEqual(Array(12).fill(401));
    expect((await consumeLimit('sign_in_account', accountKey(email))).remaining).toBe(1_000 - 13);
  });
});

describe('the attacker who tries many accounts from one address', () => {
  test('gets thirty attempts a minute, whatever addresses are claimed, and they count against no account', async ({
    service,
  }) => {
    const address = newAddress();
    const { email } = await makeUser();
    // An invalid email address is refused without the work of checking a password.
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
    expect((await right(service.url, email)).status).toBe(200);
  });

  test('locks no one out who shares the address and signed in with this browser before', async ({
    service,
  }) => {
    const [{ email }, address] = [await makeUser(), newAddress()];
    const { cookie } = await right(service.url, email, { address });
    await Promise.all(Array.from({ length: 31 }, (_, i) => wrong(service.url, `nobody-${i}`, { address })));
    expect((await right(service.url, email, { address })).status).toBe(429);
    expect((await right(service.url, email, { address, cookie })).status).toBe(200);
  });
});

describe('the attacker who floods password checks from everywhere', () => {
  test('delays only sign-in, where others are told when to retry', async ({ service }) => {
    const { email } = await makeUser();
    const { password } = await auth().$context;
    const flood = Promise.allSettled(
      // Ten different passwords suffice to hash each guess; more would only take longer.
      Array.from({ length: 101 }, (_, i) => password.hash(`a guess ${i % 10}`)),
    );
    const refused = await right(service.url, email);
    expect([refused.status, refused.headers.get('retry-after'), refused.cookie]).toEqual([503, '10', '']);
    // The threads that hash also serve files.
    expect(await Promise.race([flood.then(() => 'the flood'), stat('.').then(() => 'a file')])).toBe(
      'a file',
    );
    await flood;
    expect((await right(service.url, email)).status).toBe(200);
  });
});

describe('the attacker who looks for accounts', () => {
  test('causes the same work with a wrong password, known account or not', async ({ service }) => {
    const { email } = await makeUser();
    const shape = async (address: string) => {
      const sent = await statementsOf(() => wrong(service.url, address));
      return sent.map(({ text }) => text).sort();
    };
    const known = await shape(email);
    expect(await shape('nobody.here@acme.test')).toEqual(known);
  });
});

type From = { address?: string; cookie?: string };

const signIn = (
  url: string,
  email: string,
  password: string,
  { address = newAddress(), cookie }: From = {},
) =>
  trySignIn(
    url,
    { email, password },
    { 'x-forwarded-for': address, ...(cookie === undefined ? {} : { cookie }) },
  );
const right = (url: string, email: string, from?: From) => signIn(url, email, PASSWORD, from);
const wrong = (url: string, email: string, from?: From) => signIn(url, email, 'a guess', from);

/** Records failures from many addresses in the last hour, as sign-in records them. */
async function failBefore(email: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await consumeLimit('sign_in_account', accountKey(email));
}

async function guess(
  url: string,
  email: string,
  times: number,
  from: () => From = () => ({}),
): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: times }, () => wrong(url, email, from())));
  return responses.map(({ status }) => status).sort();
}
