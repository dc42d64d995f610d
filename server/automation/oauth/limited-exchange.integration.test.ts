import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { CREDENTIALS, type TokenBody, tokenClient } from '#test/clients/token-client.ts';
import { makeWaitingConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { PLATFORM } from '#test/servers/settings.ts';

const service = withTestService({ TRUST_PROXY: '1' });

/** Returns a function that exchanges codes from an address that has used up its rate limit. */
async function limitedExchange() {
  const address = newAddress();
  const { remaining } = await takeFrom('token', address);
  await takeFrom('token', address, remaining);
  const { post } = tokenClient(service.url);
  const fields = { ...CREDENTIALS, grant_type: 'authorization_code', redirect_uri: PLATFORM.returnUrl };
  return (code: string) => post('/oauth/token', { ...fields, code }, { 'x-forwarded-for': address });
}

test('an exchange refused by the rate limit does not use up the code', async () => {
  const { code } = await makeWaitingConnection();
  const exchange = await limitedExchange();
  // The limiter's store refuses the first request, the process's memory the following ones.
  for (let i = 0; i < 3; i += 1) expect((await exchange(code)).status).toBe(429);
  expect((await tokenClient(service.url).exchange(code)).status).toBe(200);
});

test('an attacker refused by the rate limit cannot end a connection with its used code', async () => {
  const { id, code } = await makeWaitingConnection();
  const response = await tokenClient(service.url).exchange(code);
  const { access_token: accessToken } = response.body as TokenBody;
  const exchange = await limitedExchange();
  expect((await exchange(code)).status).toBe(429);
  expect((await db().connection.findUniqueOrThrow({ where: { id } })).endedAt).toBeNull();
  expect((await apiClient(service.url, accessToken)('GET', '/me')).status).toBe(200);
});
