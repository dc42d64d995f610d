import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '#scripts/tools/ports.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import type { RawResponse } from '#test/clients/raw-request.ts';
import { sendLoad } from '#test/clients/send-load.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { CREDENTIALS } from '#test/clients/token-client.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { REDIS_SERVER, redisUrl, startRedis, type TestRedis } from '#test/servers/redis.ts';
import { type ServerProcess, startServerProcess } from '#test/servers/service-processes.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const HOST = { host: 'inbox.test' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  setTestSettings({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('counted in PostgreSQL', () => {
  const servers = twoServers(() => ({}));
  holdAcrossProcesses(servers);
});

describe.skipIf(!REDIS_SERVER)('counted in Redis', () => {
  let redis: TestRedis;
  let url: string;
  beforeAll(async () => {
    const port = await findFreePort();
    redis = await startRedis(port);
    url = redisUrl(port);
    await db().$executeRaw`delete from rate_limits`;
  });
  afterAll(() => redis.kill());
  const servers = twoServers(() => ({ REDIS_URL: url }));
  holdAcrossProcesses(servers);

  test('nothing of it is counted in the database', async () => {
    expect(await db().$queryRaw`select key from rate_limits`).toEqual([]);
    const keys = await redis.client.keys('*');
    // A server that starts takes its paths as no one.
    expect(keys.filter((key) => !key.startsWith('limits:token:nobody ')).toSorted()).toEqual([
      expect.stringMatching(/^limits:api:/),
      expect.stringMatching(/^limits:token:/),
    ]);
  });
});

/** Two server processes on the one database, for the tests of a group. */
function twoServers(settings: () => Record<string, string>): ServerProcess[] {
  const servers: ServerProcess[] = [];
  beforeAll(async () => {
    servers.push(...(await Promise.all([1, 2].map(() => startServerProcess(settings())))));
  });
  afterAll(async () => {
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);
  });
  return servers;
}

function holdAcrossProcesses(servers: ServerProcess[]): void {
  const urls = () => servers.map(({ url }) => url);

  test('of 500 calls of 50 clients to two processes with one token, 300 pass', async () => {
    const { accessToken } = await makeConnection();
    const headers = { ...HOST, authorization: `Bearer ${accessToken}` };
    const call = { method: 'GET', path: `${API_PATH}/me`, headers };
    const responses = await sendLoad(urls(), { clients: 50, callsEach: 10, call });
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

  test('of 100 token requests of 50 clients from one address to two processes, 60 pass', async () => {
    const headers = {
      ...HOST,
      'x-forwarded-for': newAddress(),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const body = `${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'kzr_no', ...CREDENTIALS })}`;
    const call = { method: 'POST', path: '/oauth/token', headers, body };
    const responses = await sendLoad(urls(), { clients: 50, callsEach: 2, call });
    const passed = responses.filter(({ status }) => status === 400);
    expect(passed).toHaveLength(60);
    expect(new Set(passed.map((response) => JSON.stringify(response.body)))).toHaveLength(1);
    const refused = responses.filter((response) => !passed.includes(response));
    for (const response of refused) expectRefusal(response);
    expect(refused).toHaveLength(40);
  });
}

function expectRefusal({ status, body, headers }: RawResponse): void {
  expect({ status, body }).toEqual({ status: 429, body: { message: 'Too Many Attempts.' } });
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
}
