import { beforeEach, expect, test } from 'vitest';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/prisma.ts';
import { listCommands } from '#server/inbox/commands/refuse-command.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
});

const listen = (command: string, by = connection) =>
  makeHook(by, { event: 'operator.command', command, filterKey: command });
const list = () => listCommands(db(), connection.workspaceId);

test('the list is empty when no hook listens for commands', async () => {
  await makeHook(connection, { event: 'conversation.tagged', tag: 'refund', filterKey: 'refund' });
  expect(await list()).toEqual({ commands: [], any: null });
});

test('each command is listed once, sorted by name, with its number of workflows and their teammates', async () => {
  const teammate = await makeUser('Noor Nasser');
  const other = await makeConnection({ workspaceId: connection.workspaceId, teammate });
  await listen('refund');
  await listen('refund', other);
  await listen('refund', other);
  await listen('escalate', other);
  expect(await list()).toEqual({
    commands: [
      { name: 'escalate', workflows: 1, teammates: ['Noor Nasser'] },
      { name: 'refund', workflows: 3, teammates: ['Noor Nasser', 'Olivia Owen'] },
    ],
    any: null,
  });
});

test('commands of a teammate who is no longer owner or admin are not listed', async () => {
  const teammate = await makeUser('Noor Nasser');
  const other = await makeConnection({ workspaceId: connection.workspaceId, teammate });
  await listen('refund', other);
  const where = { workspaceId: connection.workspaceId, userId: teammate.id };
  await db().member.updateMany({ where, data: { role: 'agent' } });
  expect(await list()).toEqual({ commands: [], any: null });
  await db().member.updateMany({ where, data: { role: 'admin' } });
  expect((await list()).commands).toMatchObject([{ name: 'refund' }]);
});

test('a hook for every command lets any name be typed', async () => {
  await listen('refund');
  await makeHook(connection, { event: 'operator.command' });
  const listeners = { workflows: 1, teammates: ['Olivia Owen'] };
  expect(await list()).toEqual({ commands: [{ name: 'refund', ...listeners }], any: listeners });
});

test('unsubscribed hooks and hooks of other workspaces are not listed', async () => {
  const { id } = await listen('refund');
  await unsubscribeHook({ workspaceId: connection.workspaceId, id });
  await listen('escalate', await makeConnection());
  expect(await list()).toEqual({ commands: [], any: null });
});
