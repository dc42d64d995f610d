import { expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

test('300 calls pass, each counted, and the 301st returns 429 with the time to wait', async ({ api }) => {
  const responses: ApiResponse[] = [];
  for (let call = 0; call < 300; call += 10) {
    responses.push(...(await Promise.all(Array.from({ length: 10 }, () => api('GET', '/me')))));
  }
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
  const left = responses.map(remaining).toSorted((a, b) => b - a);
  expect(left).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i));

  for (const [method, path] of [
    ['GET', '/me'],
    ['POST', '/hooks'],
  ] as const) {
    const refused = await api(method, path);
    const { status, body, headers } = refused;
    expect({ status, body }).toEqual({ status: 429, body: { message: 'Too Many Attempts.' } });
    expect(headers.get('x-ratelimit-limit')).toBe('300');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
});

test('parallel calls never exceed the limit', async ({ api }) => {
  const responses = await Promise.all(Array.from({ length: 320 }, () => api('GET', '/me')));
  expect(responses.filter(({ status }) => status === 200).length).toBe(300);
  expect(responses.filter(({ status }) => status === 429).length).toBe(20);
});

test('a refused call has no effect', async ({ connection, api }) => {
  await useUpLimit(connection.id);
  const hook = { event: 'conversation.created', target_url: 'https://hooks.platform.test/hook' };
  expect((await api('POST', '/hooks', hook)).status).toBe(429);
  expect(await db().hook.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('another connection of the same teammate to the same workspace has a separate limit', async ({
  service,
}) => {
  const first = await makeConnection();
  const second = await makeConnection({ workspaceId: first.workspaceId, teammate: first.teammate });
  await useUpLimit(first.id);
  expect((await apiClient(service.url, first.accessToken)('GET', '/me')).status).toBe(429);
  expect((await apiClient(service.url, second.accessToken)('GET', '/me')).status).toBe(200);
});

test('calls without a valid token count against no connection', async ({ connection, api }) => {
  for (let i = 0; i < 3; i += 1)
    await api('GET', '/me', undefined, { authorization: `Bearer ${connection.refreshToken}` });
  expect(remaining(await api('GET', '/me'))).toBe(299);
});

test('the window starts at the first call, is not extended by later ones, and then starts again', async ({
  connection,
  api,
}) => {
  const before = Date.now();
  expect(remaining(await api('GET', '/me'))).toBe(299);
  const end = await windowEnd(connection.id);
  expect(end).toBeGreaterThanOrEqual(before + 60_000);
  expect(end).toBeLessThanOrEqual(Date.now() + 60_000);
  expect(remaining(await api('POST', '/hooks', {}))).toBe(298);
  expect(await windowEnd(connection.id)).toBe(end);

  await db().$executeRaw`update rate_limits set expire = ${Date.now() - 1} where expire = ${end}`;
  expect(remaining(await api('GET', '/me'))).toBe(299);
});

test('when counting fails, calls pass and the fault is logged', async ({ connection, api }) => {
  // The last test of the file: the table is not restored.
  await db().$executeRaw`drop table rate_limits`;
  const logged = vi.spyOn(log(), 'error');
  const response = await api('GET', '/me');
  expect(response).toMatchObject({ status: 200, body: { id: connection.id } });
  expect(response.headers.get('x-ratelimit-limit')).toBe('300');
  expect(response.headers.get('x-ratelimit-remaining')).toBe('300');
  expect(logged).toHaveBeenCalledTimes(1);
  expect(logged).toHaveBeenCalledWith({ err: expect.any(Error), limit: 'api' }, 'limit.failed');
});

const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining'));

/** Returns the end of the window of the only connection that has made calls. */
async function windowEnd(connectionId: string): Promise<number> {
  const rows = await db().$queryRaw<{ expire: bigint }[]>`
    select expire from rate_limits where key like ${`%${connectionId}`}`;
  return Number(rows[0]?.expire);
}
