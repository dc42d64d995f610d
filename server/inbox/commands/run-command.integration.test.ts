import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { runCommand } from '#server/inbox/commands/run-command.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

test.beforeEach(({ connection }) =>
  makeHook(connection, { event: 'operator.command', command: 'refund', filterKey: 'refund' }),
);

test('a run is stored, noted in the conversation and sent as an event with the run’s id', async ({
  connection,
  conversation,
}) => {
  const { workspaceId, teammate } = connection;
  const { runId } = await run(connection, conversation, {
    command: ' /Refund',
    arguments: ' order 1042,\nshipping only ',
  });
  const details = 'order 1042,\nshipping only';
  expect(await db().commandRun.findMany({ where: { workspaceId }, include: { note: true } })).toMatchObject([
    {
      id: runId,
      conversationId: conversation,
      operatorId: teammate.id,
      operatorName: teammate.name,
      operatorEmail: teammate.email,
      command: 'refund',
      arguments: details,
      note: {
        conversationId: conversation,
        authorKind: 'automatic',
        authorId: null,
        authorName: null,
        content: `${teammate.name} ran /refund: ${details}`,
      },
    },
  ]);
  const record = await recordOf(conversation);
  expect(await recordedEvents(workspaceId)).toEqual([
    {
      id: runId,
      event: 'operator.command',
      occurred_at: record.updated_at,
      conversation: record,
      command: 'refund',
      arguments: details,
      operator: teammate,
    },
  ]);
  const event = await db().event.findUniqueOrThrow({ where: { id: runId } });
  expect(event.filterValues).toEqual(['refund']);
});

test('without details the note contains only the command, and the event has empty arguments', async ({
  connection,
  conversation,
}) => {
  await run(connection, conversation);
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id: conversation });
  expect(view?.items).toMatchObject([
    { kind: 'note', authorName: null, viaPlatform: false, content: 'Olivia Owen ran /refund' },
  ]);
  expect(await recordedEvents(connection.workspaceId)).toMatchObject([{ arguments: '' }]);
});

test('the contact gets no message, no teammate is notified, and status and assignee stay unchanged', async ({
  connection,
  conversation,
}) => {
  const before = await db().conversation.findUniqueOrThrow({ where: { id: conversation } });
  const ben = await makeUser('Ben');
  await addMember(connection.workspaceId, ben.id, 'agent');
  await run(connection, conversation, { operatorId: ben.id });
  const { updatedAt: _, ...after } = await db().conversation.findUniqueOrThrow({
    where: { id: conversation },
  });
  expect(before).toMatchObject(after);
  const where = { workspaceId: connection.workspaceId };
  expect(await db().message.count({ where })).toBe(0);
  expect(await db().notification.count({ where })).toBe(0);
});

describe('every role except viewer may run a command', () => {
  test.for<Role>(['owner', 'admin', 'agent'])('%s', async (role, { connection, conversation }) => {
    const teammate = await makeUser('Noor Nash');
    await addMember(connection.workspaceId, teammate.id, role);
    await run(connection, conversation, { operatorId: teammate.id });
    expect(await recordedEvents(connection.workspaceId)).toMatchObject([{ operator: teammate }]);
  });
});

test('a run adds its note on Starter too, the plan without notes', async () => {
  const starter = await makeConnection({ plan: 'starter' });
  await makeHook(starter, { event: 'operator.command' });
  const conversationId = await makeConversation(starter);
  await run(starter, conversationId);
  expect(await db().note.count({ where: { conversationId } })).toBe(1);
});

test('a hook that listens for every command accepts any name', async ({ connection, conversation }) => {
  await makeHook(connection, { event: 'operator.command' });
  await run(connection, conversation, { command: '9-lives_2' });
  expect(await recordedEvents(connection.workspaceId)).toMatchObject([{ command: '9-lives_2' }]);
});

test.for(['open', 'pending', 'solved', 'closed'] as const)(
  'a command runs in a conversation with status %s',
  async (status, { connection, conversation }) => {
    const conversationId = await makeConversation(connection, { status });
    await run(connection, conversation, { conversationId });
    expect(await recordedEvents(connection.workspaceId)).toMatchObject([{ conversation: { status } }]);
  },
);

test('parallel runs are separate runs, and the newest run is the sample', async ({
  service,
  connection,
  conversation,
}) => {
  const runs = await Promise.all(Array.from({ length: 5 }, () => run(connection, conversation)));
  const last = await run(connection, conversation, { arguments: 'last' });
  expect(new Set([...runs, last].map(({ runId }) => runId)).size).toBe(6);
  expect(await recordedEvents(connection.workspaceId)).toHaveLength(6);
  const samples = sampleClient(service.url, connection.accessToken);
  expect(await samples('operator.command', { command: 'refund' })).toMatchObject([{ arguments: 'last' }]);
});

const run = (
  connection: Connection,
  conversation: string,
  given: Partial<Parameters<typeof runCommand>[0]> = {},
) =>
  runCommand({
    workspaceId: connection.workspaceId,
    conversationId: conversation,
    operatorId: connection.teammate.id,
    command: 'refund',
    arguments: '',
    ...given,
  });

type Connection = Awaited<ReturnType<typeof makeConnection>>;
