import { describe, expect } from 'vitest';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { endSnoozes } from '#server/inbox/conversations/end-snoozes.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { snoozeConversation } from '#server/inbox/conversations/snooze-conversation.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';
import {
  type ConversationChanges,
  updateConversation,
} from '#server/inbox/conversations/update-conversation.ts';
import { deleteFlow, switchFlow } from '#server/inbox/flows/change-flows.ts';
import { RUNS_PER_HOUR, removeOldFlowRuns } from '#server/inbox/flows/count-run.ts';
import { runCausedFlows } from '#server/inbox/flows/run-caused-flows.ts';
import { saveReply } from '#server/inbox/messages/save-reply.ts';
import type { WritingActor } from '#server/teammates/actor.ts';
import { loggedEvents } from '#test/database/recorded-events.ts';
import { type Stage, timelineOf } from '#test/fixtures/conversations.ts';
import { startConversation, test } from '#test/fixtures/flows-test.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';

const update = ({ workspaceId, teammate }: Stage, id: string, changes: ConversationChanges) =>
  updateConversation({ workspaceId, id, actor: { kind: 'teammate', teammate }, changes });
const conversationOf = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });
const tagsOf = async (conversationId: string) =>
  (await db().conversationTag.findMany({ where: { conversationId } })).map(({ name }) => name);
const entriesOfFlows = async (id: string) =>
  (await timelineOf(id)).filter(({ actorKind }) => actorKind === 'flow');

const replyAs = (actor: WritingActor, which: { workspaceId: string; id: string; solveAskedAt?: Date }) =>
  planAndWrite((tx) => saveReply(tx, { ...which, actor, content: 'On its way', sends: 'job' }));

describe('a flow runs', () => {
  test('once for a message of the contact, on its words, and names the message as its reason', async ({
    connection,
    addFlow,
    started,
    runQueued,
  }) => {
    const { workspaceId } = connection;
    await addFlow({ trigger: 'message_received', words: 'refund', tags: 'money' });
    const write = (content: string) =>
      receiveMessage(...incoming(workspaceId, { conversationId: started, content }));
    await write('Hello?');
    expect(await runQueued()).toBe(1);
    expect(await tagsOf(started)).toEqual([]);
    const { messageId } = await write('I want a refund');
    expect(await runQueued()).toBe(1);
    expect(await entriesOfFlows(started)).toEqual([
      {
        kind: 'tagged',
        actorKind: 'flow',
        data: { tags: ['money'], cause: { kind: 'message_received', messageId } },
      },
    ]);
    const events = (await loggedEvents(workspaceId)).filter(({ event }) => event === 'conversation.tagged');
    const actor = { type: 'automation', id: null, name: 'Refunds' };
    expect(events).toMatchObject([{ actor, added_tags: ['money'] }]);
    expect(await runQueued()).toBe(0);
  });

  test('for the first message of a conversation, in the transaction of that message', async ({
    connection,
    addFlow,
    runQueued,
  }) => {
    await addFlow({ trigger: 'message_received', words: 'refund', tags: 'money' });
    const id = await startConversation(connection, 'A refund, please');
    expect(await tagsOf(id)).toEqual(['money']);
    expect(await runQueued()).toBe(0);
  });

  test('when a teammate replies', async ({ connection, addFlow, started, runQueued }) => {
    const { workspaceId, teammate } = connection;
    await addFlow({ trigger: 'replied', status: 'pending' });
    await replyAs({ kind: 'teammate', teammate }, { workspaceId, id: started });
    await runQueued();
    expect(await conversationOf(started)).toMatchObject({ status: 'pending' });
  });

  test.for<[TriggerFields, ConversationChanges]>([
    [{ trigger: 'status_changed', triggerStatus: 'solved' }, { status: 'solved' }],
    [{ trigger: 'priority_changed', triggerPriority: 'urgent' }, { priority: 'urgent' }],
  ])('for %j', async ([fields, changes], { connection, addFlow, started, runQueued }) => {
    await addFlow({ ...fields, tags: 'seen' });
    await update(connection, started, { status: 'pending', priority: 'high' });
    await runQueued();
    expect(await tagsOf(started)).toEqual([]);
    await update(connection, started, changes);
    await runQueued();
    expect(await tagsOf(started)).toEqual(['seen']);
  });

  test('when a snooze changes the status, and when it ends', async ({
    connection: { workspaceId, teammate },
    addFlow,
    started,
    runQueued,
  }) => {
    await addFlow({ trigger: 'status_changed', triggerStatus: 'pending', tags: 'parked' });
    await addFlow({ trigger: 'status_changed', triggerStatus: 'open', tags: 'back' });
    const actor = { kind: 'teammate' as const, teammate };
    const snooze = (until: Date | null) => snoozeConversation({ workspaceId, id: started, actor, until });
    await snooze(new Date(Date.now() + 60_000));
    await runQueued();
    expect(await tagsOf(started)).toEqual(['parked']);
    // It is pending before and after.
    await snooze(new Date(Date.now() + 120_000));
    await snooze(null);
    expect(await runQueued()).toBe(0);
    await snooze(new Date(Date.now() + 60_000));
    await db().conversation.update({ where: { id: started }, data: { snoozedUntil: new Date(0) } });
    await endSnoozes();
    await runQueued();
    expect(await tagsOf(started)).toEqual(['parked', 'back']);
  });

  test('when a team or a teammate is assigned', async ({ connection, addFlow, started, runQueued }) => {
    const { workspaceId, teammate } = connection;
    const team = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    await addFlow({ trigger: 'team_set', triggerTeamId: team.id, tags: 'billing' });
    await addFlow({ trigger: 'assigned', tags: 'taken' });
    await update(connection, started, { teamId: team.id, assigneeId: teammate.id });
    await runQueued();
    expect(await tagsOf(started)).toEqual(['billing', 'taken']);
  });

  test('when one of its tags is added, only in its status', async ({
    connection,
    addFlow,
    started,
    runQueued,
  }) => {
    const { workspaceId, teammate } = connection;
    await addFlow({ trigger: 'tagged', triggerTags: 'vip', statuses: ['open'], priority: 'high' });
    await addFlow({ trigger: 'tagged', triggerTags: 'vip', statuses: ['solved'], priority: 'urgent' });
    const actor = { kind: 'teammate' as const, teammate };
    const tag = (tags: string[]) =>
      planAndWrite((tx) => addTags(tx, { workspaceId, id: started, actor, tags }));
    await tag(['other']);
    await runQueued();
    expect(await conversationOf(started)).toMatchObject({ priority: 'normal' });
    await tag(['VIP']);
    await runQueued();
    expect(await conversationOf(started)).toMatchObject({ priority: 'high' });
  });

  test('when an SLA target is missed', async ({ connection, addFlow, runQueued }) => {
    const { workspaceId } = connection;
    await db().workspace.update({ where: { id: workspaceId }, data: { slaResolutionMinutes: 60 } });
    await addFlow({ trigger: 'sla_missed', triggerLimit: 'resolution', priority: 'urgent' });
    const id = await startConversation(connection);
    await db().slaClock.updateMany({ where: { conversationId: id }, data: { dueAt: new Date(0) } });
    await breachClocks();
    await runQueued();
    expect(await conversationOf(id)).toMatchObject({ priority: 'urgent' });
  });
});

test('a rule that another rule starts runs once, after it and in the same transaction', async ({
  connection,
  addFlow,
  started,
  runQueued,
}) => {
  await addFlow({ trigger: 'tagged', triggerTags: 'money', priority: 'urgent' });
  await addFlow({ trigger: 'status_changed', triggerStatus: 'solved', tags: 'money' });
  await update(connection, started, { status: 'solved' });
  expect(await runQueued()).toBe(1);
  expect(await entriesOfFlows(started)).toMatchObject([
    { kind: 'tagged', data: { cause: { kind: 'status_changed', to: 'solved' } } },
    { kind: 'priority_changed', data: { cause: { kind: 'tagged', tags: ['money'] } } },
  ]);
  expect(await runQueued()).toBe(0);
});

test('two rules that undo each other stop with an entry each instead of running for ever', async ({
  connection,
  addFlow,
  started,
  runQueued,
}) => {
  await addFlow({ name: 'Park', trigger: 'status_changed', triggerStatus: 'open', status: 'pending' });
  await addFlow({ name: 'Open', trigger: 'status_changed', triggerStatus: 'pending', status: 'open' });
  await update(connection, started, { status: 'pending' });
  await runQueued();
  expect((await entriesOfFlows(started)).map(({ kind, data }) => [kind, data])).toMatchObject([
    ['status_changed', { to: 'open' }],
    ['status_changed', { to: 'pending' }],
    ['flow_stopped', { because: 'loop' }],
  ]);
  expect(await conversationOf(started)).toMatchObject({ status: 'pending' });
  expect(await runQueued()).toBe(0);
});

test('a rule whose change something else always reverts stops for the conversation until it is turned on again', async ({
  connection,
  addFlow,
  started,
  runQueued,
}) => {
  const { id: connectionId, workspaceId, teammate: by } = connection;
  const actor = { kind: 'workflow' as const, teammate: by, connectionId };
  const id = await addFlow({ trigger: 'status_changed', triggerStatus: 'open', status: 'pending' });
  const revert = async () => {
    await updateConversation({ workspaceId, id: started, actor, changes: { status: 'open' } });
    await runQueued();
  };
  await update(connection, started, { status: 'pending' });
  for (let run = 0; run < RUNS_PER_HOUR + 3; run += 1) await revert();
  const entries = (await entriesOfFlows(started)).map(({ kind }) => kind);
  expect(entries.filter((kind) => kind === 'status_changed')).toHaveLength(RUNS_PER_HOUR);
  expect(entries.filter((kind) => kind === 'flow_stopped')).toHaveLength(1);
  expect(await conversationOf(started)).toMatchObject({ status: 'open' });
  const other = await startConversation(connection);
  await update(connection, other, { status: 'pending' });
  await update(connection, other, { status: 'open' });
  await runQueued();
  expect(await conversationOf(other)).toMatchObject({ status: 'pending' });

  await switchFlow({ workspaceId, by, id, enabled: false });
  await switchFlow({ workspaceId, by, id, enabled: true });
  await update(connection, started, { status: 'solved' });
  await revert();
  expect(await conversationOf(started)).toMatchObject({ status: 'pending' });
});

describe('a rule on replies sets no status', () => {
  test('of a conversation that its author solved with the reply', async ({
    connection: { workspaceId, teammate },
    addFlow,
    started,
    runQueued,
  }) => {
    await addFlow({ trigger: 'replied', status: 'pending', tags: 'answered' });
    await addFlow({ trigger: 'status_changed', triggerStatus: 'solved', priority: 'low' });
    await db().conversation.update({ where: { id: started }, data: { channel: 'webchat' } });
    const which = { workspaceId, id: started };
    await replyAs({ kind: 'teammate', teammate }, { ...which, solveAskedAt: new Date() });
    expect(await runQueued()).toBe(1);
    expect(await conversationOf(started)).toMatchObject({ status: 'solved', priority: 'low' });
    expect(await tagsOf(started)).toEqual(['answered']);
  });

  test('after the contact wrote or someone chose another one', async ({
    connection,
    addFlow,
    started,
    runQueued,
  }) => {
    const { workspaceId, teammate } = connection;
    await addFlow({ trigger: 'replied', status: 'pending', tags: 'answered' });
    const other = await startConversation(connection);
    for (const id of [started, other]) await replyAs({ kind: 'teammate', teammate }, { workspaceId, id });
    await receiveMessage(...incoming(workspaceId, { conversationId: started, content: 'And now?' }));
    await update(connection, other, { status: 'solved' });
    await runQueued();
    expect(await conversationOf(started)).toMatchObject({ status: 'open' });
    expect(await conversationOf(other)).toMatchObject({ status: 'solved' });
    for (const id of [started, other]) expect(await tagsOf(id)).toEqual(['answered']);
  });
});

test('a rule on replies is not stopped by a lively chat, in which people revert its changes', async ({
  connection: { workspaceId, teammate },
  addFlow,
  started,
  runQueued,
}) => {
  await addFlow({ trigger: 'replied', status: 'pending' });
  await addFlow({ trigger: 'message_received', priority: 'high' });
  for (let exchange = 0; exchange <= RUNS_PER_HOUR; exchange += 1) {
    await receiveMessage(...incoming(workspaceId, { conversationId: started, content: 'And now?' }));
    await update({ workspaceId, teammate }, started, { priority: 'low' });
    await replyAs({ kind: 'teammate', teammate }, { workspaceId, id: started });
    await runQueued();
  }
  expect(await conversationOf(started)).toMatchObject({ status: 'pending', priority: 'high' });
  expect((await entriesOfFlows(started)).filter(({ kind }) => kind === 'flow_stopped')).toEqual([]);
});

test('a rule that a workflow always reverts stops, also if the workflow replies each time', async ({
  connection: { id: connectionId, workspaceId, teammate },
  addFlow,
  started,
  runQueued,
}) => {
  await addFlow({ trigger: 'replied', status: 'pending' });
  const workflow = { kind: 'workflow' as const, teammate, connectionId };
  for (let run = 0; run <= RUNS_PER_HOUR; run += 1) {
    await updateConversation({ workspaceId, id: started, actor: workflow, changes: { status: 'open' } });
    await replyAs(workflow, { workspaceId, id: started });
    await runQueued();
  }
  expect(await conversationOf(started)).toMatchObject({ status: 'open' });
  expect((await entriesOfFlows(started)).at(-1)).toMatchObject({
    kind: 'flow_stopped',
    data: { because: 'too_often' },
  });
});

test('two workers that run the same job at once run its flows once', async ({
  connection,
  addFlow,
  started,
}) => {
  const { workspaceId } = connection;
  const flowId = await addFlow({ trigger: 'status_changed', tags: 'seen' });
  await update(connection, started, { status: 'solved' });
  const { id: causeId } = await db().flowCause.findFirstOrThrow({ where: { workspaceId } });
  await Promise.all([runCausedFlows({ causeId }), runCausedFlows({ causeId }), runCausedFlows({ causeId })]);
  expect(await entriesOfFlows(started)).toHaveLength(1);
  expect(await db().flowRun.findMany({ where: { flowId } })).toHaveLength(1);
  expect(await db().flowCause.count({ where: { workspaceId } })).toBe(0);
});

test('a conversation that was marked as spam since, or a deleted flow, changes nothing', async ({
  connection,
  addFlow,
  started,
  runQueued,
}) => {
  const { workspaceId, teammate } = connection;
  const id = await addFlow({ trigger: 'status_changed', tags: 'seen' });
  await update(connection, started, { status: 'solved' });
  await removeConversation({
    workspaceId,
    id: started,
    to: 'spam',
    actor: { kind: 'teammate', teammate },
  });
  expect(await runQueued()).toBe(1);
  const other = await startConversation(connection);
  await update(connection, other, { status: 'solved' });
  await deleteFlow({ workspaceId, by: teammate, id });
  expect(await runQueued()).toBe(1);
  for (const conversationId of [started, other]) expect(await tagsOf(conversationId)).toEqual([]);
});

test('a workspace whose flows wait for something else queues no job and stores no cause', async ({
  connection,
  addFlow,
  started,
}) => {
  await addFlow({ tags: 'new' });
  await addFlow({ trigger: 'tagged', tags: 'x' });
  await forgetJobs();
  await update(connection, started, { status: 'solved', priority: 'high' });
  expect((await queuedJobs()).filter(({ task }) => task === 'run-flows')).toEqual([]);
  expect(await db().flowCause.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('counts of runs are removed after 30 days, but not those of stopped flows', async ({
  connection,
  addFlow,
  started,
}) => {
  const { workspaceId } = connection;
  const other = await startConversation(connection);
  const flowId = await addFlow({ trigger: 'replied', tags: 'x' });
  const lastRunAt = new Date(Date.now() - 31 * 86_400_000);
  const run = { workspaceId, flowId, countedFrom: lastRunAt, runs: 1, lastRunAt };
  await db().flowRun.createMany({
    data: [
      { ...run, conversationId: started },
      { ...run, conversationId: other, stoppedAt: lastRunAt },
    ],
  });
  await removeOldFlowRuns();
  expect(await db().flowRun.findMany({ where: { flowId } })).toMatchObject([{ conversationId: other }]);
});

type TriggerFields = { trigger: string; triggerStatus?: string; triggerPriority?: string };
