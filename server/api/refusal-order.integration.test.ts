import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

describe('the first of several errors in this order is reported', () => {
  test('422 for the body as a whole comes before its fields', async ({ api }) => {
    const response = await api('POST', '/conversations', '{');
    expect(response.status).toBe(422);
    expect(Object.keys((response.body as { errors: object }).errors)).toEqual(['body']);
  });

  test('413 for a body that is too large comes before its fields', async ({ api }) => {
    expect((await api('POST', '/hooks', '{'.repeat(1_000_001))).status).toBe(413);
  });

  test('403 for the role comes before the body', async ({ connection, api }) => {
    await demote(connection);
    expect((await api('POST', '/hooks', '{')).status).toBe(403);
    expect((await api('POST', '/hooks', '{'.repeat(1_000_001))).status).toBe(403);
  });

  test('429 for the limit comes before the role', async ({ connection, api }) => {
    await demote(connection);
    await useUpLimit(connection.id);
    expect((await api('POST', '/hooks', '{')).status).toBe(429);
  });

  test('401 for the token comes before the limit', async ({ connection, api }) => {
    await useUpLimit(connection.id);
    await expire(connection);
    expect((await api('POST', '/hooks', '{')).status).toBe(401);
  });

  test('405 for the method comes before the token', async ({ connection, api }) => {
    await expire(connection);
    expect((await api('PUT', '/hooks', '{')).status).toBe(405);
  });

  test('404 for the address comes before the method', async ({ connection, api }) => {
    await expire(connection);
    expect((await api('PUT', '/nothing', '{')).status).toBe(404);
  });
});

describe('every response', () => {
  test('is JSON with a unique id, whatever the client accepts', async ({ connection, api }) => {
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
    await demote(connection);
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

const demote = (connection: Connection) =>
  db().member.updateMany({ where: { userId: connection.teammate.id }, data: { role: 'agent' } });
const expire = ({ id }: Connection) =>
  db().$executeRaw`update access_tokens set expires_at = now() where connection_id = ${id}::uuid`;

type Connection = Awaited<ReturnType<typeof makeConnection>>;
