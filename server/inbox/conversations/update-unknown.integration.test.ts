import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { mergedInto, NOT_FOUND, refused } from '#test/fixtures/refused.ts';

describe('a call returns 404, whatever its values, for', () => {
  test.for<[string, (ids: { foreign: string; workspaceId: string }) => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', ({ foreign }) => foreign],
    ['that id in upper case', ({ foreign }) => foreign.toUpperCase()],
    ['the id of another record', ({ workspaceId }) => workspaceId],
    ['a number', () => '7'],
    ['an id with an extra character', () => `${randomUUID()}x`],
    ['an id without hyphens', () => randomUUID().replaceAll('-', '')],
    ['an id in braces', () => encodeURIComponent(`{${randomUUID()}}`)],
    ['a blank', () => '%20'],
    ['U+0000', () => '%00'],
    ['a slash', () => '%2F'],
    ['a percent sign', () => '%25'],
    ['a percent sign and two letters', () => '%25zz'],
    ['a very long string', () => 'x'.repeat(4_000)],
  ])('%s', async ([_what, choose], { service, connection, foreign }) => {
    const id = choose({ foreign, workspaceId: connection.workspaceId });
    for (const body of BODIES) {
      const response = await patch(service, connection, id, body);
      const refusal = { status: response.status, body: response.body };
      expect(refusal, JSON.stringify(body)).toEqual(NOT_FOUND);
    }
  });
});

test.for(['%', '%zz', '%c3%28', '%ff'])(
  'an id that cannot be decoded (%s) returns 404',
  async (id, { service, connection }) => {
    for (const body of BODIES)
      expect(await patch(service, connection, id, body)).toMatchObject({ status: 404 });
  },
);

test('an attacker cannot change a conversation of another workspace', async ({
  service,
  connection,
  stranger,
  foreign,
}) => {
  const before = await rowsOfWorkspace(stranger.workspaceId);
  expect((await patch(service, connection, foreign, { status: 'solved', priority: 'high' })).status).toBe(
    404,
  );
  expect(await rowsOfWorkspace(stranger.workspaceId)).toEqual(before);
});

describe('a merged conversation', () => {
  test.for([
    { status: 'solved' },
    { status: 'open' },
    { priority: 'high' },
    { assignee_id: 'none' },
    { team_id: 'none' },
    { assignee_id: randomUUID(), team_id: randomUUID() },
  ])(
    'does not change: %j is refused under conversation',
    async (body, { service, connection, conversation, merged: id }) => {
      const before = await rowsOfWorkspace(connection.workspaceId);
      const response = await patch(service, connection, id, body);
      expect({ status: response.status, body: response.body }).toEqual(
        refused('conversation', mergedInto(conversation)),
      );
      expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
    },
  );

  test('reports invalid values first', async ({ service, connection, merged: id }) => {
    const response = await patch(service, connection, id, { status: 'done' });
    expect(response).toMatchObject({ status: 422, body: { errors: { status: [expect.any(String)] } } });
    expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({ status: 'open' });
  });
});

/** Sends an unencoded id. */
const patch = (service: { url: string }, connection: Connected, id: string, body: unknown) =>
  rawRequest(service.url, {
    method: 'PATCH',
    path: `${API_PATH}/conversations/${id}`,
    headers: { authorization: `Bearer ${connection.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Valid values, and values that would be refused for an existing conversation. */
const BODIES = [{ status: 'solved' }, { status: 'done' }, { priority: 7 }, { assignee_id: randomUUID() }, {}];
