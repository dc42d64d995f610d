import { expect } from 'vitest';
import { TOKEN_EXPIRED_MESSAGE } from '#server/contract/connection-messages.ts';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

test('an attacker who guesses too many tokens from one address gets 429', async ({ service }) => {
  const address = newAddress();
  expect(await call(service.url, GUESS, address)).toMatchObject({
    status: 401,
    body: { message: TOKEN_EXPIRED_MESSAGE },
  });
  await guessAll(service.url, address);
  const { status, headers, body } = await call(service.url, `${GUESS}x`, address);
  expect([status, body]).toEqual([429, { message: 'Too Many Attempts.' }]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await call(service.url, GUESS, newAddress())).status).toBe(401);
});

test('and an issued token, live or not, gets the same response from there as from anywhere else', async ({
  service,
}) => {
  const [live, replaced] = await Promise.all([makeConnection(), makeConnection()]);
  await db().connection.update({ where: { id: replaced.id }, data: { liveTokenTimes: [] } });
  const address = newAddress();
  await guessAll(service.url, address);
  expect((await call(service.url, live.accessToken, address)).status).toBe(200);
  expect((await call(service.url, replaced.accessToken, address)).status).toBe(401);
  expect((await call(service.url, undefined, address)).status).toBe(401);
  expect((await apiClient(service.url, live.accessToken)('GET', '/me')).status).toBe(200);
});

const GUESS = `kza_${'A'.repeat(43)}`;

async function call(url: string, token: string | undefined, address: string) {
  const headers = { 'x-forwarded-for': address, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(`${url}/api/automation/v1/me`, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Sends as many unknown tokens as one address may send in a minute. */
async function guessAll(url: string, address: string): Promise<void> {
  await call(url, GUESS, address);
  for (;;) if ((await consumeLimit('unknown_token', address)).remaining === 0) return;
}
