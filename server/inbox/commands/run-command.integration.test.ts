import { describe, expect } from 'vitest';
import { listNotifications } from '#server/administration/notifications/list-notifications.ts';
import type { AttemptedDelivery, AttemptResult } from '#server/automation/deliveries/attempt-result.ts';
import { cancelDeliveries } from '#server/automation/deliveries/cancel-deliveries.ts';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import { recordAttempts } from '#server/automation/deliveries/record-attempts.ts';
import { redeliver } from '#server/automation/deliveries/redeliver.ts';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { runCommand } from '#server/inbox/commands/run-command.ts';
import { readRun } from '#server/screens/inbox/command-runs.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { answered, made, record } from '#test/fixtures/attempts.ts';
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
    { kind: 'note', authorName: null, via: null, content: 'Olivia Owen ran /refund' },
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

describe('a command shows what became of it', () => {
  test.for<[name: string, results: AttemptResult[], view: object, notified: string | null]>([
    ['delivered', [answered(200)], { state: 'delivered', sentence: 'Delivered to Workflow Platform' }, null],
    [
      'refused',
      [answered(404)],
      { state: 'failed', sentence: 'Not delivered: refused by Workflow Platform (404)' },
      'refused by Workflow Platform (404)',
    ],
    [
      'sent to a workflow that is gone',
      [answered(410)],
      {
        state: 'failed',
        sentence: 'Not delivered: Workflow Platform says the workflow no longer exists (410)',
      },
      'Workflow Platform says the workflow no longer exists (410)',
    ],
    ['retried', [answered(500)], { state: 'retrying', sentence: 'Still trying: server error (500)' }, null],
    [
      'retried without a response',
      [answered(429), { kind: 'timed_out', error: '' }],
      { state: 'retrying', sentence: 'Still trying: no response' },
      null,
    ],
    [
      'delivered at last',
      [answered(500), answered(204)],
      { state: 'delivered', sentence: 'Delivered to Workflow Platform' },
      null,
    ],
    [
      'given up',
      [500, 500, 500, 500, 503].map(answered),
      { state: 'failed', sentence: 'Not delivered: server error (503), given up after 5 attempts' },
      'server error (503), given up after 5 attempts',
    ],
  ])('when it is %s', async ([_name, results, view, notified], { connection, conversation }) => {
    const { runId } = await run(connection, conversation);
    const shown = async () => (await noteOf(connection, conversation))?.run;
    expect(await shown()).toEqual({ state: 'sent', sentence: 'Sent to Workflow Platform' });
    await deliver();
    expect(await shown()).toEqual({ state: 'sent', sentence: 'Sent to Workflow Platform' });
    const [delivery = missing()] = await deliveriesOf(runId);
    for (const [n, result] of results.entries()) await record(delivery, n + 1, result);
    expect(await shown()).toEqual(view);
    expect(await sentencesOf(connection)).toEqual(
      notified ? [`/refund in “Order” was not delivered: ${notified}.`] : [],
    );
    expect(await readRun(db(), { workspaceId: connection.workspaceId, id: runId })).toEqual(view);
    const other = { workspaceId: (await makeConnection()).workspaceId, id: runId };
    await expect(readRun(db(), other)).rejects.toMatchObject({ refusal: 'not_found' });
    await db().event.deleteMany({ where: { id: runId } });
    expect(await shown()).toBeNull();
  });

  test('with each of several workflows, and again after a redelivery', async ({
    connection,
    conversation,
  }) => {
    const everyCommand = await makeHook(connection, { event: 'operator.command' });
    const agent = await makeUser('Noor Nash');
    await addMember(connection.workspaceId, agent.id, 'agent');
    const { runId } = await run(connection, conversation, { operatorId: agent.id });
    await deliver();
    const deliveries = await deliveriesOf(runId);
    const refused = deliveries.find(({ hookId }) => hookId === everyCommand.id) ?? missing();
    const other = deliveries.find(({ hookId }) => hookId !== everyCommand.id) ?? missing();
    await recordAttempts([made(refused, 1, answered(404)), made(other, 1, answered(200))]);
    const shown = async () => (await noteOf(connection, conversation))?.run?.sentence;
    expect(await shown()).toBe('Not delivered to 1 of 2 workflows: refused by Workflow Platform (404)');
    expect(await sentencesOf(connection)).toEqual([]);
    const told = '/refund in “Order” was not delivered: refused by Workflow Platform (404).';
    expect(await sentencesOf({ ...connection, teammate: agent })).toEqual([told]);
    await inTransaction((tx) =>
      redeliver(tx, {
        workspaceId: connection.workspaceId,
        id: refused.id,
        by: connection.teammate,
        platformName: '',
      }),
    );
    expect(await shown()).toBe('Still trying: refused by Workflow Platform (404)');
    await record(refused, 2, answered(200));
    expect(await shown()).toBe('Delivered to 2 workflows');
    expect(await sentencesOf({ ...connection, teammate: agent })).toEqual([told]);
  });

  test('when its workflow is turned off before or while it is sent', async ({ connection, conversation }) => {
    const before = await run(connection, conversation);
    await db().eventToFanOut.deleteMany({ where: { eventId: before.runId } });
    const shown = async () => (await noteOf(connection, conversation))?.run?.sentence;
    expect(await shown()).toBe('Not delivered: the workflow was turned off');
    const { runId } = await run(connection, conversation);
    await deliver();
    const [delivery = missing()] = await deliveriesOf(runId);
    await removeHooks(db(), { workspaceId: connection.workspaceId, id: delivery.hookId }, 'unsubscribed');
    await cancelDeliveries(delivery.hookId, []);
    await cancelDeliveries(delivery.hookId, []);
    expect(await shown()).toBe('Not delivered: the workflow was turned off');
    expect(await sentencesOf(connection)).toEqual([
      '/refund in “Order” was not delivered: the workflow was turned off.',
    ]);
  });

  test('and tells nobody who has left the workspace', async ({ connection, conversation }) => {
    const ben = await makeUser('Ben');
    await addMember(connection.workspaceId, ben.id, 'agent');
    const { runId } = await run(connection, conversation, { operatorId: ben.id });
    await deliver();
    await db().member.deleteMany({ where: { userId: ben.id } });
    const [delivery = missing()] = await deliveriesOf(runId);
    expect(await record(delivery, 1, answered(404))).toBe(true);
    expect(await db().notification.count({ where: { userId: ben.id } })).toBe(0);
  });
});

const deliver = () => fanOut({ leaseId: 'none', hooks: 0 });

async function deliveriesOf(eventId: string): Promise<AttemptedDelivery[]> {
  const found = await db().delivery.findMany({ where: { eventId } });
  return found.map((delivery) => ({ ...delivery, eventKey: 'operator.command', isForEndpoint: false }));
}

function missing(): never {
  throw new Error('The delivery is missing.');
}

/** Returns the newest note of the thread. */
async function noteOf({ workspaceId }: Connection, id: string) {
  const view = await getConversation(db(), { workspaceId, id });
  return view?.items.findLast((item) => item.kind === 'note');
}

async function sentencesOf({ workspaceId, teammate }: Pick<Connection, 'workspaceId' | 'teammate'>) {
  const { newest } = await listNotifications(db(), { workspaceId, userId: teammate.id, role: 'agent' });
  return newest.map(({ sentence }) => sentence).filter((sentence) => sentence.startsWith('/'));
}

const run = (
  connection: Connection,
  conversation: string,
  fields: Partial<Parameters<typeof runCommand>[0]> = {},
) =>
  runCommand({
    workspaceId: connection.workspaceId,
    conversationId: conversation,
    operatorId: connection.teammate.id,
    command: 'refund',
    arguments: '',
    ...fields,
  });

type Connection = Awaited<ReturnType<typeof makeConnection>>;
