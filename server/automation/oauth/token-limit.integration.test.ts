import { afterEach, describe, expect, vi } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { CREDENTIALS, type TokenBody, tokensOf } from '#test/clients/token-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { type Platform, test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('docs/spec.md §8: 60 requests a minute per address, token and revoke together', () => {
  test.for(['/oauth/token', '/oauth/revoke'] as const)(
    'the 61st, to %s, returns 429',
    async (path, { platform }) => {
      const address = { 'x-forwarded-for': newAddress() };
      await useUp(platform, () => address);
      const response = await platform.post(path, refresh, address);
      expect(response.status).toBe(429);
      expect(response.body).toEqual({ message: 'Too Many Attempts.' });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    },
  );

  test('apply even with the platform’s credentials, but not to other addresses', async ({ platform }) => {
    const address = { 'x-forwarded-for': newAddress() };
    await useUp(platform, () => address);
    expect((await platform.post('/oauth/revoke', CREDENTIALS, address)).status).toBe(429);
    expect((await platform.post('/oauth/revoke', CREDENTIALS)).status).toBe(200);
  });

  test('an attacker cannot evade the limit with forged forwarded addresses', async ({ platform }) => {
    const address = newAddress();
    const claim = () => ({ 'x-forwarded-for': `${newAddress()}, ${newAddress()}, ${address}` });
    await useUp(platform, claim);
    expect((await platform.post('/oauth/token', refresh, claim())).status).toBe(429);
    expect(
      (await platform.post('/oauth/token', refresh, { ...claim(), 'x-client-address': newAddress() })).status,
    ).toBe(429);
  });

  test('the minute starts with the first request, and Retry-After has the remaining seconds', async ({
    platform,
  }) => {
    const address = { 'x-forwarded-for': newAddress() };
    const start = Date.now();
    await useUp(platform, () => address);
    const passedSeconds = (Date.now() - start) / 1_000;
    const at = async (seconds: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: start + seconds * 1000 });
      return platform.post('/oauth/token', refresh, address);
    };
    const halfway = await at(40);
    expect(halfway.status).toBe(429);
    const left = Number(halfway.headers.get('retry-after'));
    expect(left).toBeGreaterThanOrEqual(20);
    expect(left).toBeLessThanOrEqual(20 + Math.ceil(passedSeconds));
    expect((await at(40 + left)).status).toBe(400);
  });
});

describe('a request at the limit', () => {
  test('an exchange refused by the rate limit does not use up the code', async ({ platform }) => {
    const { code } = await makeWaitingConnection();
    const address = await limitedAddress();
    // The limiter's store refuses the first request, the process's memory the following ones.
    for (let i = 0; i < 3; i += 1) expect((await exchangeFrom(platform, address, code)).status).toBe(429);
    expect((await platform.exchange(code)).status).toBe(200);
  });

  test('an attacker refused by the rate limit cannot end a connection with its used code', async ({
    platform,
    getMe,
  }) => {
    const { id, code } = await makeWaitingConnection();
    const response = await platform.exchange(code);
    const { access_token: accessToken } = response.body as TokenBody;
    const address = await limitedAddress();
    expect((await exchangeFrom(platform, address, code)).status).toBe(429);
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endedAt).toBeNull();
    expect((await getMe(accessToken)).status).toBe(200);
  });

  test('a refresh refused by the rate limit issues no token, and the previous token stays valid', async ({
    platform,
    getMe,
  }) => {
    const { accessToken, refreshToken } = await makeConnection();
    const address = await limitedAddress();
    // The limiter's store refuses the first request, the process's memory the following ones.
    for (let i = 0; i < 3; i += 1)
      expect((await refreshFrom(platform, address, refreshToken)).status).toBe(429);
    expect((await getMe(accessToken)).status).toBe(200);
    expect((await refreshFrom(platform, newAddress(), refreshToken)).status).toBe(200);
  });

  test('a refresh that waits for a row lock does not delay other refreshes from the same address', async ({
    platform,
    getMe,
  }) => {
    const [waiting, other] = [await makeConnection(), await makeConnection()];
    const address = newAddress();
    const { first } = await inTransaction(async (tx) => {
      await tx.$executeRaw`select from connections where id = ${waiting.id}::uuid for no key update`;
      const started = refreshFrom(platform, address, waiting.refreshToken);
      await until('it waits for the connection', async () => (await countLockWaiters()) === 1);
      expect((await refreshFrom(platform, address, other.refreshToken)).status).toBe(200);
      return { first: started };
    });
    const { access_token } = tokensOf(await first);
    expect((await getMe(access_token)).status).toBe(200);
    expect((await getMe(waiting.accessToken)).status).toBe(401);
  });
});

const refresh = { ...CREDENTIALS, grant_type: 'refresh_token', refresh_token: 'unknown' };

/** Sends sixty requests from an address, valid and invalid, a third of them revocations. */
async function useUp(platform: Platform, headers: (i: number) => Record<string, string>) {
  const requests = Array.from({ length: 60 }, (_, i) =>
    i % 3 === 0
      ? platform.post('/oauth/revoke', CREDENTIALS, headers(i))
      : platform.post('/oauth/token', i % 3 === 1 ? refresh : {}, headers(i)),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 60 }, (_, i) => [200, 400, 401][i % 3]));
}

/** Returns an address that has used up its rate limit. */
async function limitedAddress(): Promise<string> {
  const address = newAddress();
  const { remaining } = await consumeLimit('token', address);
  await consumeLimit('token', address, remaining);
  return address;
}

const refreshFrom = (platform: Platform, address: string, refreshToken: string) => {
  const fields = { ...CREDENTIALS, grant_type: 'refresh_token', refresh_token: refreshToken };
  return platform.post('/oauth/token', fields, { 'x-forwarded-for': address });
};
const exchangeFrom = (platform: Platform, address: string, code: string) => {
  const grant = { grant_type: 'authorization_code', redirect_uri: PLATFORM.returnUrl };
  return platform.post('/oauth/token', { ...CREDENTIALS, ...grant, code }, { 'x-forwarded-for': address });
};
