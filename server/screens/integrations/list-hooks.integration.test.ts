import { expect } from 'vitest';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/prisma.ts';
import { HookRemoval } from '#server/generated/prisma/enums.ts';
import { listConnections } from '#server/screens/integrations/list-connections.ts';
import { listHooks } from '#server/screens/integrations/list-hooks.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { test } from '#test/fixtures/service-test.ts';

test('live workflows are listed with event, filter and teammate, for this workspace only', async ({
  connection,
}) => {
  const plain = await makeHook(connection);
  const command = await makeHook(connection, {
    event: 'operator.command',
    command: 'refund',
    filterKey: 'refund',
  });
  await makeHook(await makeConnection());
  expect(await list(connection.workspaceId)).toEqual({
    live: [
      { id: command.id, eventName: 'Workflow Command', filter: 'refund', teammateName: 'Olivia Owen' },
      { id: plain.id, eventName: 'New Conversation', filter: null, teammateName: 'Olivia Owen' },
    ],
    removed: [],
  });
});

test.for(Object.values(HookRemoval))(
  'a removed workflow shows the reason and the time: %s',
  async (reason, { connection }) => {
    const { id, workspaceId } = await makeHook(connection);
    await removeHooks(db(), { workspaceId, id }, reason);
    const { live, removed } = await list(workspaceId);
    expect(live).toEqual([]);
    expect(removed).toMatchObject([{ id, eventName: 'New Conversation', removedAt: expect.any(Date) }]);
    const [{ why, whatToDo } = { why: '', whatToDo: '' }] = removed;
    expect(why).toMatch(/^[A-Z0-9].+\.$/);
    expect(why).not.toContain(reason.includes('_') ? reason : '_');
    if (reason === 'unsubscribed') expect(whatToDo).toBeNull();
    else expect(whatToDo).toContain('in Zippy');
  },
);

test('a removed workflow is still listed after many webhook endpoints were deleted', async ({
  connection,
}) => {
  const { id, workspaceId } = await makeHook(connection);
  await removeHooks(db(), { workspaceId, id }, 'gone');
  await db().hook.createMany({
    data: Array.from({ length: 20 }, () => ({
      workspaceId,
      event: '*',
      events: ['note.added'],
      targetUrl: 'https://example.com/hooks',
      removedAt: new Date(Date.now() + 1_000),
      removalReason: 'unsubscribed',
    })),
  });
  expect((await list(workspaceId)).removed).toMatchObject([{ id }]);
});

test('the health of a connection and its workflows follows their recent deliveries', async ({
  connection,
}) => {
  const hooks = {
    quiet: await makeHook(connection),
    normal: await makeHook(connection),
    failing: await makeHook(connection),
    unanswered: await makeHook(connection),
    slowed: await makeHook(connection),
  };
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await logDelivery(hooks.normal, { outcome: 'dropped', attempts: ['rejected'], createdAt: anHourAgo });
  await logDelivery(hooks.normal, { outcome: 'delivered', attempts: ['failed', 'delivered'] });
  await logDelivery(hooks.normal);
  await logDelivery(hooks.unanswered, { attempts: ['timed_out'] });
  await logDelivery(hooks.slowed, { attempts: ['delivered'], outcome: 'delivered' });
  await db().hook.update({
    where: { id: hooks.failing.id },
    data: { consecutiveErrors: 3, failingSince: anHourAgo },
  });
  await db().hook.update({ where: { id: hooks.slowed.id }, data: { throttledAt: new Date() } });
  await db().hook.update({ where: { id: hooks.normal.id }, data: { throttledAt: anHourAgo } });

  const { items } = await listConnections(db(), connection);
  const [shown] = items;
  expect(shown?.health).toEqual({ kind: 'failing', since: anHourAgo, workflows: 1 });
  const kinds = new Map(shown?.hooks.map(({ id, health }) => [id, health.kind]));
  for (const [kind, { id }] of Object.entries(hooks)) expect(kinds.get(id)).toBe(kind);
});

const list = (workspaceId: string) => listHooks(db(), { workspaceId, platformName: 'Zippy' });
