import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let api: ReturnType<typeof apiClient>;

const status = async (...call: Parameters<typeof api>) => (await api(...call)).status;
const demote = () =>
  db().member.updateMany({ where: { userId: connection.teammate.id }, data: { role: 'agent' } });

describe('of several faults of one call the first of this order is reported', () => {
  beforeAll(async () => {
    connection = await makeConnection();
    api = apiClient(service.url, connection.accessToken);
  });

  test('422 for the body as a whole comes before its fields', async () => {
    const response = await api('POST', '/conversations', '{');
    expect(response.status).toBe(422);
    expect(Object.keys((response.body as { errors: object }).errors)).toEqual(['body']);
  });

  test('413 for a body that is too large comes before what it says', async () => {
    expect(await status('POST', '/hooks', '{'.repeat(1_000_001))).toBe(413);
  });

  test('403 for the role comes before the body', async () => {
    await demote();
    expect(await status('POST', '/hooks', '{')).toBe(403);
    expect(await status('POST', '/hooks', '{'.repeat(1_000_001))).toBe(403);
  });

  test('429 for the limit comes before the role', async () => {
    await useUpLimit(connection.id);
    expect(await status('POST', '/hooks', '{')).toBe(429);
  });

  test('401 for the token comes before the limit', async () => {
    await db().$executeRaw`update access_tokens set expires_at = now()`;
    expect(await status('POST', '/hooks', '{')).toBe(401);
  });

  test('405 for the method comes before the token', async () => {
    expect(await status('PUT', '/hooks', '{')).toBe(405);
  });

  test('404 for the address comes before the method', async () => {
    expect(await status('PUT', '/nothing', '{')).toBe(404);
  });
});

describe('every response', () => {
  test('is JSON with an id of its own, whatever the client accepts', async () => {
    connection = await makeConnection();
    api = apiClient(service.url, connection.accessToken);
    const hook = { event: 'conversation.created', target_url: 'https://hooks.platform.test/hook' };
    const wanted = { accept: 'text/html', 'x-request-id': 'chosen by the client' };
    const responses = [
      await api('GET', '/me', undefined, wanted),
      await api('POST', '/hooks', hook, wanted),
      await api('POST', '/hooks', {}, wanted),
      await api('POST', '/hooks', 'x'.repeat(1_000_001), wanted),
      await api('GET', '/me', undefined, { ...wanted, authorization: 'Bearer kza_unknown' }),
      await api('GET', '/nothing', undefined, wanted),
      await api('PUT', '/me', {}, wanted),
    ];
    await demote();
    responses.push(await api('GET', '/me', undefined, wanted));
    await useUpLimit(connection.id);
    responses.push(await api('GET', '/me', undefined, wanted));

    expect(responses.map((response) => response.status)).toEqual([
      200, 201, 422, 413, 401, 404, 405, 403, 429,
    ]);
    for (const { status, headers, body } of responses) {
      expect(headers.get('content-type'), `${status}`).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options'), `${status}`).toBe('nosniff');
      expect(headers.get('x-request-id'), `${status}`).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      if (status < 400) continue;
      expect(Object.keys(body as object), `${status}`).toEqual(
        status === 422 ? ['message', 'errors'] : ['message'],
      );
    }
    expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(responses.length);

    const authenticated = new Set([200, 201, 403, 413, 422, 429]);
    for (const { status, headers } of responses) {
      const limit = authenticated.has(status) ? '300' : null;
      expect(headers.get('x-ratelimit-limit'), `${status}`).toBe(limit);
      expect(headers.get('x-ratelimit-remaining') !== null, `${status}`).toBe(limit !== null);
    }
  });
});
