import { expect } from 'vitest';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/prisma.ts';
import { listCommands } from '#server/inbox/commands/refuse-command.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

test('the list is empty when no hook listens for commands', async ({ connection }) => {
  await makeHook(connection, { event: 'conversation.tagged', tag: 'refund', filterKey: 'refund' });
  expect(await list(connection)).toEqual({ commands: [], any: null });
});

test('each command is listed once, sorted by name, with its number of workflows and their teammates', async ({
  connection,
}) => {
  const teammate = await makeUser('Noor Nasser');
  const other = await makeConnection({ workspaceId: connection.workspaceId, teammate });
  await listen(connection, 'refund');
  await listen(other, 'refund');
  await listen(other, 'refund');
  await listen(other, 'escalate');
  expect(await list(connection)).toEqual({
    commands: [
      { name: 'escalate', workflows: 1, teammates: ['Noor Nasser'] },
      { name: 'refund', workflows: 3, teammates: ['Noor Nasser', 'Olivia Owen'] },
    ],
    any: null,
  });
});

test('commands of a teammate who is no longer owner or admin are not listed', async ({ connection }) => {
  const teammate = await makeUser('Noor Nasser');
  const other = await makeConnection({ workspaceId: connection.workspaceId, teammate });
  await listen(other, 'refund');
  const where = { workspaceId: connection.workspaceId, userId: teammate.id };
  await db().member.updateMany({ where, data: { role: 'agent' } });
  expect(await list(connection)).toEqual({ commands: [], any: null });
  await db().member.updateMany({ where, data: { role: 'admin' } });
  expect((await list(connection)).commands).toMatchObject([{ name: 'refund' }]);
});

test('a hook for every command lets any name be typed', async ({ connection }) => {
  await listen(connection, 'refund');
  await makeHook(connection, { event: 'operator.command' });
  const listeners = { workflows: 1, teammates: ['Olivia Owen'] };
  expect(await list(connection)).toEqual({ commands: [{ name: 'refund', ...listeners }], any: listeners });
});

test('unsubscribed hooks and hooks of other workspaces are not listed', async ({ connection }) => {
  const { id } = await listen(connection, 'refund');
  await unsubscribeHook({ workspaceId: connection.workspaceId, id });
  await listen(await makeConnection(), 'escalate');
  expect(await list(connection)).toEqual({ commands: [], any: null });
});

const listen = (connection: Connection, command: string) =>
  makeHook(connection, { event: 'operator.command', command, filterKey: command });

const list = ({ workspaceId }: { workspaceId: string }) => listCommands(db(), workspaceId);

type Connection = Parameters<typeof makeHook>[0];
