import { beforeEach, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { test } from '#test/fixtures/service-test.ts';

beforeEach(() => {
  vi.restoreAllMocks();
});

test('an unexpected error returns 500 with a fixed message and is logged with the id of the response', async ({
  api,
}) => {
  const lines = logged();
  await db().$executeRaw`alter table teams rename column name to secret_column`;
  const response = await api('GET', '/teams');
  await db().$executeRaw`alter table teams rename column secret_column to name`;

  expect({ status: response.status, body: response.body }).toEqual({ status: 500, body: FAULT });
  expect(response.headers.get('x-ratelimit-remaining')).toBe('299');
  expect([...response.headers.values()].join()).not.toMatch(/secret_column|prisma|trpc/i);
  expect(lines).toHaveBeenCalledTimes(1);
  const [fields, message] = lines.mock.calls[0] ?? [];
  expect(message).toBe('api.failed');
  expect(fields).toMatchObject({ requestId: response.headers.get('x-request-id'), err: expect.any(Error) });
  expect((await api('GET', '/teams')).status).toBe(200);
});

test('an unexpected error while looking up the caller returns 500, not 401, because the connection is still valid', async ({
  api,
}) => {
  const lines = logged();
  await db().$executeRaw`alter table access_tokens rename to access_tokens_gone`;
  const response = await api('GET', '/me');
  await db().$executeRaw`alter table access_tokens_gone rename to access_tokens`;
  expect({ status: response.status, body: response.body }).toEqual({ status: 500, body: FAULT });
  expect(response.headers.get('x-request-id')).not.toBeNull();
  expect(lines).toHaveBeenCalledTimes(1);
  expect((await api('GET', '/me')).status).toBe(200);
});

test('an unexpected error during a change returns 500 and rolls the change back', async ({ api }) => {
  logged();
  await db().$executeRaw`alter table hooks rename column filter_key to secret_column`;
  const hook = { event: 'conversation.created', target_url: 'https://hooks.platform.test/hook' };
  const response = await api('POST', '/hooks', hook);
  await db().$executeRaw`alter table hooks rename column secret_column to filter_key`;
  expect({ status: response.status, body: response.body }).toEqual({ status: 500, body: FAULT });
  expect(await db().hook.count()).toBe(0);
});

const FAULT = { message: 'Something went wrong on our side. Try again later.' };
const logged = () => vi.spyOn(log(), 'error');
