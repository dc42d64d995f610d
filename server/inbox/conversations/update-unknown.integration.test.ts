import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

type Connected = Awaited<ReturnType<typeof makeConnection>>;

const service = withTestService();
let connection: Connected;
let abroad: Connected;
let foreign: string;
beforeAll(async () => {
  connection = await makeConnection();
  abroad = await makeConnection();
  foreign = await makeConversation(abroad);
});

/** Sends an unencoded id. */
const patch = (id: string, body: unknown) =>
  rawRequest(service.url, {
    method: 'PATCH',
    path: `${API_PATH}/conversations/${id}`,
    headers: { authorization: `Bearer ${connection.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Valid values, and values that would be refused for an existing conversation. */
const BODIES = [{ status: 'solved' }, { status: 'done' }, { priority: 7 }, { assignee_id: randomUUID() }, {}];

describe('a call returns 404, whatever its values, for', () => {
  test.each<[string, () => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', () => foreign],
    ['that id in upper case', () => foreign.toUpperCase()],
    ['the id of another record', () => connection.workspaceId],
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
  ])('%s', async (_what, id) => {
    for (const body of BODIES) {
      const response = await patch(id(), body);
      const refusal = { status: response.status, body: response.body };
      const message = 'The conversation was not found.';
      expect(refusal, JSON.stringify(body)).toEqual({ status: 404, body: { message } });
    }
  });
});

test.each(['%', '%zz', '%c3%28', '%ff'])('an id that cannot be decoded (%s) returns 404', async (id) => {
  for (const body of BODIES) expect(await patch(id, body)).toMatchObject({ status: 404 });
});

test('an attacker cannot change a conversation of another workspace', async () => {
  const before = await rowsOfWorkspace(abroad.workspaceId);
  expect((await patch(foreign, { status: 'solved', priority: 'high' })).status).toBe(404);
  expect(await rowsOfWorkspace(abroad.workspaceId)).toEqual(before);
});

describe('a merged conversation', () => {
  let id: string;
  let sentence: string;
  beforeAll(async () => {
    const mergedIntoId = await makeConversation(connection);
    id = await makeConversation(connection, { mergedIntoId });
    sentence = `This conversation was merged into another one. Use ${conversationUrl(mergedIntoId)} instead.`;
  });

  test.each([
    { status: 'solved' },
    { status: 'open' },
    { priority: 'high' },
    { assignee_id: 'none' },
    { team_id: 'none' },
    { assignee_id: randomUUID(), team_id: randomUUID() },
  ])('does not change: %j is refused under conversation', async (body) => {
    const before = await rowsOfWorkspace(connection.workspaceId);
    const response = await patch(id, body);
    const expected = { status: 422, body: { message: sentence, errors: { conversation: [sentence] } } };
    expect({ status: response.status, body: response.body }).toEqual(expected);
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });

  test('reports invalid values first', async () => {
    const response = await patch(id, { status: 'done' });
    expect(response).toMatchObject({ status: 422, body: { errors: { status: [expect.any(String)] } } });
    expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({ status: 'open' });
  });
});
