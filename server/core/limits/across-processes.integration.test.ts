import { expect } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { apiClient } from '#test/clients/api-client.ts';
import type { RawResponse } from '#test/clients/raw-request.ts';
import { sendLoad } from '#test/clients/send-load.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { CREDENTIALS, tokenClient, tokensOf } from '#test/clients/token-client.ts';
import { refreshTogether } from '#test/fixtures/refresh-together.ts';
import { test } from '#test/fixtures/two-servers-test.ts';

test('of 500 calls of 50 clients to two servers with one token, 300 pass', async ({
  servers,
  connection,
}) => {
  const headers = { ...HOST, authorization: `Bearer ${connection.accessToken}` };
  const call = { method: 'GET', path: `${API_PATH}/me`, headers };
  const responses = await sendLoad(servers, { clients: 50, callsEach: 10, call });
  const passed = responses.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(300);
  const left = passed.map((response) => Number(response.headers['x-ratelimit-remaining']));
  expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i));
  const refused = responses.filter((response) => !passed.includes(response));
  for (const response of refused) {
    expectRefusal(response);
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0' });
  }
  expect(refused).toHaveLength(200);
});

test('of 100 token requests of 50 clients from one address to two servers, 60 pass', async ({ servers }) => {
  const headers = {
    ...HOST,
    'x-forwarded-for': newAddress(),
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = `${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'kzr_no', ...CREDENTIALS })}`;
  const call = { method: 'POST', path: '/oauth/token', headers, body };
  const responses = await sendLoad(servers, { clients: 50, callsEach: 2, call });
  const passed = responses.filter(({ status }) => status === 400);
  expect(passed).toHaveLength(60);
  expect(new Set(passed.map((response) => JSON.stringify(response.body)))).toHaveLength(1);
  const refused = responses.filter((response) => !passed.includes(response));
  for (const response of refused) expectRefusal(response);
  expect(refused).toHaveLength(40);
});

test('of eight refreshes of one connection at two servers, all tokens work at both until the next refresh', async ({
  servers,
  connection,
}) => {
  const responses = await refreshTogether(servers, connection, 8);
  const tokens = responses.map((response) => tokensOf(response).access_token);
  const statuses = () =>
    Promise.all(
      servers.flatMap((url) =>
        tokens.map(async (token) => (await apiClient(url, token)('GET', '/me')).status),
      ),
    );
  expect(await statuses()).toEqual(Array(16).fill(200));
  tokensOf(await tokenClient(servers[0] ?? '').refresh(connection.refreshToken));
  expect(await statuses()).toEqual(Array(16).fill(401));
});

const HOST = { host: 'inbox.test' };

function expectRefusal({ status, body, headers }: RawResponse): void {
  expect({ status, body }).toEqual({ status: 429, body: { message: 'Too Many Attempts.' } });
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
}
