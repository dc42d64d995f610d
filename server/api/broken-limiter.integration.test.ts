import { expect, test, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();

test('when counting fails, calls pass and the fault is logged', async () => {
  const connection = await makeConnection();
  const api = apiClient(service.url, connection.accessToken);
  await db().$executeRaw`drop table rate_limits`;
  const logged = vi.spyOn(log(), 'error');
  const response = await api('GET', '/me');
  expect(response).toMatchObject({ status: 200, body: { id: connection.id } });
  expect(response.headers.get('x-ratelimit-limit')).toBe('300');
  expect(response.headers.get('x-ratelimit-remaining')).toBe('300');
  expect(logged).toHaveBeenCalledTimes(1);
  expect(logged).toHaveBeenCalledWith({ err: expect.any(Error), limit: 'api' }, 'limit.failed');
});
