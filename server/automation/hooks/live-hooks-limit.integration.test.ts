import { expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { subscribeHook } from '#server/automation/hooks/subscribe-hook.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test } from '#test/fixtures/service-test.ts';

test('the 500th live hook is accepted and the 501st refused, for any connection of the workspace', async ({
  connection,
  api,
  service,
}) => {
  const second = await makeConnection({ workspaceId: connection.workspaceId });
  await fill(connection, 499);
  const last = await apiClient(service.url, second.accessToken)('POST', '/hooks', hook);
  expect(last.status).toBe(201);
  for (const { accessToken } of [connection, second]) {
    const { status, body } = await apiClient(service.url, accessToken)('POST', '/hooks', hook);
    expect({ status, body }).toEqual({ status: 422, body: { message: FULL, errors: { hooks: [FULL] } } });
  }
  expect(await live(connection)).toBe(500);

  await unsubscribeHook({ workspaceId: connection.workspaceId, id: (last.body as { id: string }).id });
  const again = await api('POST', '/hooks', hook);
  expect(again.status).toBe(201);
});

test('hooks of other workspaces do not count', async ({ api }) => {
  await fill(await makeConnection(), 500);
  const response = await api('POST', '/hooks', hook);
  expect(response.status).toBe(201);
});

test('with room for forty, exactly forty of a hundred concurrent subscriptions succeed', async ({
  connection,
  service,
}) => {
  const second = await makeConnection({ workspaceId: connection.workspaceId });
  await fill(connection, 460);
  const clients = [connection, second].map(({ accessToken }) => apiClient(service.url, accessToken));
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, i) => clients[i % clients.length]?.('POST', '/hooks', hook)),
  );
  const statuses = responses.map((response) => response?.status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(40);
  expect(statuses.filter((status) => status === 422)).toHaveLength(60);
  expect(await live(connection)).toBe(500);
});

test('a connection that ends while subscribing has no live hook', async () => {
  for (let round = 0; round < 5; round += 1) {
    const connection = await makeConnection();
    const { id: connectionId, workspaceId } = connection;
    const filter = { status: null, tag: null, command: null };
    const input = {
      workspaceId,
      connectionId,
      event: 'contact.created',
      targetUrl: hook.target_url,
    } as const;
    const outcomes = await Promise.allSettled([
      planAndWrite((tx) => subscribeHook(tx, { ...input, filter })),
      inTransaction((tx) => endConnection(tx, { id: connectionId, reason: 'disconnected' })),
      planAndWrite((tx) => subscribeHook(tx, { ...input, filter })),
    ]);
    expect(outcomes[1]).toMatchObject({ status: 'fulfilled', value: true });
    expect(await live(connection)).toBe(0);
    await expect(planAndWrite((tx) => subscribeHook(tx, { ...input, filter }))).rejects.toMatchObject({
      refusal: 'connection_ended',
      message: 'This workspace connection is no longer valid, reconnect.',
    });
  }
});

const FULL = 'This workspace already has 500 live hooks. Turn off a workflow to make room.';
const hook = { event: 'contact.created', target_url: `https://${PLATFORM.hooksHost}/hook` };
type Connected = Awaited<ReturnType<typeof makeConnection>>;

const fill = ({ id, workspaceId }: Connected, count: number) =>
  db().hook.createMany({
    data: Array.from({ length: count }, () => ({
      workspaceId,
      connectionId: id,
      event: hook.event,
      targetUrl: hook.target_url,
    })),
  });
const live = ({ workspaceId }: Connected) => db().hook.count({ where: { workspaceId, removedAt: null } });
