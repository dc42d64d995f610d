import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newAddress } from '#test/clients/sign-in.ts';
import { CREDENTIALS, tokenClient } from '#test/clients/token-client.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService({ TRUST_PROXY: '1' });
let platform: ReturnType<typeof tokenClient>;

beforeAll(async () => {
  platform = tokenClient(service.url);
});

afterEach(() => {
  vi.useRealTimers();
});

const refresh = { ...CREDENTIALS, grant_type: 'refresh_token', refresh_token: 'unknown' };

/** Sends sixty requests from an address, valid and invalid, a third of them revocations. */
async function useUp(headers: (i: number) => Record<string, string>) {
  const requests = Array.from({ length: 60 }, (_, i) =>
    i % 3 === 0
      ? platform.post('/oauth/revoke', CREDENTIALS, headers(i))
      : platform.post('/oauth/token', i % 3 === 1 ? refresh : {}, headers(i)),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 60 }, (_, i) => [200, 400, 401][i % 3]));
}

describe('docs/spec.md §8: 60 requests a minute per address, token and revoke together', () => {
  test.each(['/oauth/token', '/oauth/revoke'] as const)('the 61st, to %s, returns 429', async (path) => {
    const address = { 'x-forwarded-for': newAddress() };
    await useUp(() => address);
    const response = await platform.post(path, refresh, address);
    expect(response.status).toBe(429);
    expect(response.body).toEqual({ message: 'Too Many Attempts.' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  test('also with the platform’s credentials, but not from other addresses', async () => {
    const address = { 'x-forwarded-for': newAddress() };
    await useUp(() => address);
    expect((await platform.post('/oauth/revoke', CREDENTIALS, address)).status).toBe(429);
    expect((await platform.post('/oauth/revoke', CREDENTIALS)).status).toBe(200);
  });

  test('an attacker cannot evade the limit with forged forwarded addresses', async () => {
    const address = newAddress();
    const claim = () => ({ 'x-forwarded-for': `${newAddress()}, ${newAddress()}, ${address}` });
    await useUp(claim);
    expect((await platform.post('/oauth/token', refresh, claim())).status).toBe(429);
    expect(
      (await platform.post('/oauth/token', refresh, { ...claim(), 'x-client-address': newAddress() })).status,
    ).toBe(429);
  });

  test('the minute starts with the first request, and Retry-After has the remaining seconds', async () => {
    const address = { 'x-forwarded-for': newAddress() };
    const start = Date.now();
    await useUp(() => address);
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
