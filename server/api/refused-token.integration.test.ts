import { describe, expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { refreshAccess } from '#server/automation/oauth/refresh-access.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import type { ConnectionEnd } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { type RawResponse, rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

const EXPIRED = 'The connection has expired, reconnect.';
const LEFT = 'The connecting teammate is no longer in this workspace, reconnect.';
const NOT_VALID = 'This workspace connection is no longer valid, reconnect.';

describe('an invalid token is refused as expired', () => {
  test('when none is sent', async ({ service }) => {
    expectRefused(await call(service.url, undefined), EXPIRED);
  });

  test.for<[string, (connection: Connection) => string]>([
    ['an empty header', () => ''],
    ['a scheme alone', () => 'Bearer'],
    ['a token alone', ({ accessToken }) => accessToken],
    ['another scheme', ({ accessToken }) => `Basic ${accessToken}`],
    ['no space after the scheme', ({ accessToken }) => `Bearer${accessToken}`],
    ['two tokens', ({ accessToken }) => `Bearer ${accessToken} ${accessToken}`],
    ['quotes around it', ({ accessToken }) => `Bearer "${accessToken}"`],
    ['a token that no one issued', () => 'Bearer kza_0000000000000000000000000000000000000000000'],
    ['a token in another case', ({ accessToken }) => `Bearer ${accessToken.toUpperCase()}`],
    ['a token that is cut short', ({ accessToken }) => `Bearer ${accessToken.slice(0, -1)}`],
    ['the refresh token', ({ refreshToken }) => `Bearer ${refreshToken}`],
    ['letters beyond ASCII', () => 'Bearer kza_\u00fc'],
    ['a very long token', () => `Bearer ${'k'.repeat(8_000)}`],
    ['an attempt at SQL', () => "Bearer ' or 1=1 --"],
  ])('as %s', async ([_what, authorization], { service, connection }) => {
    expectRefused(await call(service.url, authorization(connection)), EXPIRED);
  });

  test('when it is only in the query string or the body', async ({ service, connection }) => {
    for (const name of ['access_token', 'token', 'authorization', 'Authorization']) {
      expectRefused(await call(service.url, undefined, `/me?${name}=${connection.accessToken}`), EXPIRED);
      const body = JSON.stringify({ [name]: connection.accessToken });
      expectRefused(await call(service.url, undefined, '/hooks', 'POST', body), EXPIRED);
    }
  });

  test('but the valid token passes, whatever the case of the scheme', async ({ service, connection }) => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await call(service.url, `${scheme} ${connection.accessToken}`)).status).toBe(200);
    }
    const queried = await call(service.url, `Bearer ${connection.accessToken}`, '/me?access_token=kza_other');
    expect(queried.status).toBe(200);
  });
});

describe('a token that worked before is refused', () => {
  test('when it was replaced by a refresh, and the new one works', async ({ service, connection }) => {
    const refreshed = await refreshAccess(new Map([['refresh_token', connection.refreshToken]]));
    if (!refreshed.ok) throw new Error(refreshed.error.description);
    expectRefused(await call(service.url, `Bearer ${connection.accessToken}`), EXPIRED);
    expect((await apiClient(service.url, refreshed.value.access_token)('GET', '/me')).status).toBe(200);
  });

  test('when it has expired by the clock of the database', async ({ service }) => {
    const { id, accessToken } = await makeConnection();
    await db().$executeRaw`
      update access_tokens set expires_at = now() - interval '1 second' where connection_id = ${id}::uuid`;
    expectRefused(await call(service.url, `Bearer ${accessToken}`), EXPIRED);
  });

  test.for(
    Object.entries({
      disconnected: NOT_VALID,
      teammate_left: LEFT,
      teammate_deleted: NOT_VALID,
      workspace_deleted: NOT_VALID,
      not_allowed: NOT_VALID,
      revoked_by_platform: EXPIRED,
      code_reused: EXPIRED,
      never_exchanged: EXPIRED,
    } satisfies Record<ConnectionEnd, string>) as [ConnectionEnd, string][],
  )('when its connection ended as %s: %s', async ([reason, message], { service }) => {
    const { id, accessToken } = await makeConnection();
    if (reason === 'never_exchanged')
      await db().connection.update({ where: { id }, data: { exchangedAt: null } });
    expect(await inTransaction((tx) => endConnection(tx, { id, reason }))).toBe(true);
    expectRefused(await call(service.url, `Bearer ${accessToken}`), message);
  });
});

/** Calls `GET /me`, or another path, with an `Authorization` header or without one. */
function call(url: string, authorization: string | undefined, path = '/me', method = 'GET', body?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  return rawRequest(url, {
    method,
    path: API_PATH + path,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

type Connection = Awaited<ReturnType<typeof makeConnection>>;

function expectRefused(response: RawResponse, message: string): void {
  expect({ status: response.status, body: response.body }).toEqual({ status: 401, body: { message } });
  expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
}
