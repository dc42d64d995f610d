import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { disconnect, endConnection } from '#server/automation/connections/end-connection.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { recordOf } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

type Write = [method: string, path: string, body: object];
type Response = { status: number; body: { message?: string } };

/**
 * `test` with `send`, which sends a call. `meanwhile` runs once the caller is authenticated and before the body ends. `key` is the
 * `Idempotency-Key` of the call.
 */
const test = serviceTest.extend('send', ({ service, connection }) => {
  return async ([method, path, body]: Write, meanwhile: () => Promise<unknown>, key?: string) => {
    await db().connection.update({ where: { id: connection.id }, data: { lastUsedAt: null } });
    const headers = {
      authorization: `Bearer ${connection.accessToken}`,
      ...(key ? { 'idempotency-key': key } : {}),
    };
    const call = request(`${service.url}/api/automation/v1${path}`, { method, headers });
    const response = new Promise<Response>((resolve, reject) => {
      call.on('error', reject);
      call.on('response', async (res) =>
        resolve({ status: res.statusCode ?? 0, body: (await json(res)) as Response['body'] }),
      );
    });
    const text = JSON.stringify(body);
    call.write(text.slice(0, 1));
    await until('the caller is authenticated', async () => {
      const found = await db().connection.findUniqueOrThrow({ where: { id: connection.id } });
      return found.lastUsedAt !== null;
    });
    await meanwhile();
    call.end(text.slice(1));
    return response;
  };
});

describe.for([
  ['without a key', undefined],
  ['with a key', 'a-key'],
] as const)('a write %s whose connection ends while it is under way changes nothing', ([_with, key]) => {
  test.for<[string, (at: { conversation: string; contact: string }) => Write]>([
    ['PATCH of a conversation', ({ conversation }) => ['PATCH', conversation, { status: 'solved' }]],
    ['POST replies', ({ conversation }) => ['POST', `${conversation}/replies`, { content: 'Hi' }]],
    ['POST notes', ({ conversation }) => ['POST', `${conversation}/notes`, { content: 'Hi' }]],
    ['POST tags', ({ conversation }) => ['POST', `${conversation}/tags`, { tags: ['VIP'] }]],
    ['POST /contacts', () => ['POST', '/contacts', { name: 'Ada' }]],
    ['PATCH of a contact', ({ contact }) => ['PATCH', contact, { city: 'Oslo' }]],
    [
      'POST /conversations',
      () => ['POST', '/conversations', { to_email: 'x@engines.test', subject: 'S', content: 'C' }],
    ],
  ])('%s', async ([_name, writeOf], { connection, conversation, send }) => {
    const { workspaceId, teammate: by, id: connectionId } = connection;
    const stateOf = async () => {
      const where = { workspaceId };
      const counts = [db().contact, db().message, db().note, db().conversation].map((table) =>
        (table.count as (query: object) => Promise<number>)({ where }),
      );
      return [await recordOf(conversation), ...(await Promise.all(counts))];
    };
    const { contact } = await recordOf(conversation);
    const write = writeOf({
      conversation: `/conversations/${conversation}`,
      contact: `/contacts/${contact?.id}`,
    });
    const before = await stateOf();
    expect(await send(write, () => disconnect({ workspaceId, connectionId, by }), key)).toEqual({
      status: 401,
      body: { message: 'This workspace connection is no longer valid, reconnect.' },
    });
    expect(await stateOf()).toEqual(before);
  });
});

describe('a write is refused with the sentence of the next call', () => {
  const NOTE = { content: 'Hi' };

  test('when the teammate becomes an agent while it is under way', async ({
    connection: { workspaceId, teammate },
    conversation,
    send,
  }) => {
    const demote = () =>
      db().member.update({
        where: { workspaceId_userId: { workspaceId, userId: teammate.id } },
        data: { role: 'agent' },
      });
    expect(await send(['POST', `/conversations/${conversation}/notes`, NOTE], demote)).toEqual({
      status: 403,
      body: { message: 'The connecting teammate needs to be an owner or admin of the workspace.' },
    });
  });

  test('when the teammate leaves while it is under way', async ({
    connection: { id },
    conversation,
    send,
  }) => {
    const leave = () => inTransaction((tx) => endConnection(tx, { id, reason: 'teammate_left' }));
    expect(await send(['POST', `/conversations/${conversation}/notes`, NOTE], leave)).toEqual({
      status: 401,
      body: { message: 'The connecting teammate is no longer in this workspace, reconnect.' },
    });
  });
});
