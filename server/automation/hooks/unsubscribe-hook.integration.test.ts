import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createEndpoint } from '#server/automation/webhooks/endpoints.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { type Api, apiClient } from '#test/clients/api-client.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

test('a removed hook is stored with the reason, and removing it again changes nothing', async ({
  api,
  connection,
}) => {
  const { id } = await makeHook(connection);
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await remove(api, id);
    expect({ status, body }).toEqual({ status: 200, body: { id, deleted: true } });
  }
  const { removedAt, removalReason } = await find(id);
  expect(removalReason).toBe('unsubscribed');
  await remove(api, id);
  expect((await find(id)).removedAt).toEqual(removedAt);
});

test('only the given hook is removed', async ({ api, connection }) => {
  const [gone, kept] = [await makeHook(connection), await makeHook(connection)];
  await remove(api, gone.id);
  expect((await find(kept.id)).removedAt).toBeNull();
});

test('a hook of another connection of the same workspace can be removed', async ({ api, connection }) => {
  const other = await makeConnection({ workspaceId: connection.workspaceId });
  const { id } = await makeHook(other);
  expect((await remove(api, id)).status).toBe(200);
  expect(await find(id)).toMatchObject({ removalReason: 'unsubscribed' });
});

test('the id may be written in uppercase or encoded', async ({ api, connection }) => {
  const { id } = await makeHook(connection);
  expect(await remove(api, id.toUpperCase())).toMatchObject({ status: 200 });
  expect((await find(id)).removedAt).not.toBeNull();
  const second = await makeHook(connection);
  const encoded = second.id.replaceAll('-', '%2D');
  const response = await api('DELETE', `/hooks/${encoded}`);
  expect(response.body).toEqual({ id: second.id, deleted: true });
  expect((await find(second.id)).removedAt).not.toBeNull();
});

test('an earlier removal reason is not overwritten', async ({ api, connection }) => {
  const { id } = await makeHook(connection);
  await db().hook.update({ where: { id }, data: { removedAt: new Date(), removalReason: 'failing' } });
  expect((await remove(api, id)).status).toBe(200);
  expect(await find(id)).toMatchObject({ removalReason: 'failing' });
});

describe('the response is the same for an id that is not a hook of the workspace', () => {
  test('another workspace’s hook, which stays live', async ({ api }) => {
    const { id } = await makeHook(await makeConnection());
    const { status, body } = await remove(api, id);
    expect({ status, body }).toEqual({ status: 200, body: { id, deleted: true } });
    expect((await find(id)).removedAt).toBeNull();
  });

  test('another workspace’s hook of the very same teammate', async ({ service, api, connection }) => {
    const there = await makeConnection({ teammate: connection.teammate });
    const { id } = await makeHook(there);
    expect((await remove(api, id)).status).toBe(200);
    expect((await find(id)).removedAt).toBeNull();
    expect((await remove(apiClient(service.url, there.accessToken), id)).status).toBe(200);
    expect((await find(id)).removedAt).not.toBeNull();
  });

  test('a webhook endpoint of the workspace, which is not the platform’s and stays enabled', async ({
    api,
    connection,
  }) => {
    const { workspaceId, teammate: by } = connection;
    const { endpoint } = await inTransaction((tx) =>
      createEndpoint(tx, { workspaceId, by, url: 'https://example.com/hooks', events: ['note.added'] }),
    );
    const { status, body } = await remove(api, endpoint.id);
    expect({ status, body }).toEqual({ status: 200, body: { id: endpoint.id, deleted: true } });
    expect((await find(endpoint.id)).removedAt).toBeNull();
  });

  test.for([
    ['an unknown id', randomUUID()],
    ['the nil id', '00000000-0000-0000-0000-000000000000'],
    ['a number', '7'],
    ['text', 'no id at all'],
    ['an id with a suffix', `${randomUUID()}0`],
    ['U+0000', 'a\0b'],
    ['a slash', 'a/b'],
    ['an emoji', '😀'],
    ['an attempt at SQL', "' or 1=1 --"],
    ['a very long id', 'x'.repeat(8_000)],
  ] as const)('%s', async ([_what, id], { api }) => {
    const { status, body } = await remove(api, id);
    expect({ status, body }).toEqual({ status: 200, body: { id, deleted: true } });
  });
});

test('an id in query or body does not replace the id in the path', async ({ api, connection }) => {
  const { id } = await makeHook(connection);
  const response = await api('DELETE', `/hooks/${randomUUID()}?id=${id}`, { id });
  expect(response.status).toBe(200);
  expect((await find(id)).removedAt).toBeNull();
});

const remove = (api: Api, id: string) => api('DELETE', `/hooks/${encodeURIComponent(id)}`);
const find = (id: string) => db().hook.findUniqueOrThrow({ where: { id } });
