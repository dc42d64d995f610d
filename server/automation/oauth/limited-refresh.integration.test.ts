import { expect, test } from 'vitest';
import { inTransaction } from '#server/core/database/prisma.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { CREDENTIALS, tokenClient, tokensOf } from '#test/clients/token-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

const service = withTestService({ TRUST_PROXY: '1' });

const refreshFrom = (address: string, refreshToken: string) => {
  const fields = { ...CREDENTIALS, grant_type: 'refresh_token', refresh_token: refreshToken };
  return tokenClient(service.url).post('/oauth/token', fields, { 'x-forwarded-for': address });
};
const statusOf = async (accessToken: string) =>
  (await apiClient(service.url, accessToken)('GET', '/me')).status;

test('a refresh refused by the rate limit issues no token, and the previous token stays valid', async () => {
  const { accessToken, refreshToken } = await makeConnection();
  const address = newAddress();
  const { remaining } = await takeFrom('token', address);
  await takeFrom('token', address, remaining);
  // The limiter's store refuses the first request, the process's memory the following ones.
  for (let i = 0; i < 3; i += 1) expect((await refreshFrom(address, refreshToken)).status).toBe(429);
  expect(await statusOf(accessToken)).toBe(200);
  expect((await refreshFrom(newAddress(), refreshToken)).status).toBe(200);
});

test('a refresh that waits for a row lock does not delay other refreshes from the same address', async () => {
  const [waiting, other] = [await makeConnection(), await makeConnection()];
  const address = newAddress();
  const { first } = await inTransaction(async (tx) => {
    await tx.$executeRaw`select from connections where id = ${waiting.id}::uuid for no key update`;
    const started = refreshFrom(address, waiting.refreshToken);
    await until('it waits for the connection', async () => (await countLockWaiters()) === 1);
    expect((await refreshFrom(address, other.refreshToken)).status).toBe(200);
    return { first: started };
  });
  const { access_token } = tokensOf(await first);
  expect(await statusOf(access_token)).toBe(200);
  expect(await statusOf(waiting.accessToken)).toBe(401);
});
