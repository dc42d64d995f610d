import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { endSnoozes } from '#server/inbox/conversations/end-snoozes.ts';
import { snoozeConversation } from '#server/inbox/conversations/snooze-conversation.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { switchFlow, updateFlow } from '#server/inbox/flows/change-flows.ts';
import { runTimedFlows } from '#server/inbox/flows/run-timed-flows.ts';
import { type Stage, timelineOf } from '#test/fixtures/conversations.ts';
import { FLOW_FORM } from '#test/fixtures/flow-form.ts';
import { test as flowsTest, startConversation } from '#test/fixtures/flows-test.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

/** `addOld` creates a flow that was saved 100 hours ago. */
const test = flowsTest.extend('addOld', ({ addFlow }) => async (fields: Parameters<typeof addFlow>[0]) => {
  const id = await addFlow(fields);
  await db().flow.update({ where: { id }, data: { timedUntil: hoursAgo(100) } });
  return id;
});

const CLOSES = {
  trigger: 'stayed',
  triggerStatus: 'pending',
  time: '3',
  unit: 'days',
  status: 'closed',
} as const;

const setPending = (id: string, since: Date) =>
  db().conversation.update({ where: { id }, data: { status: 'pending', statusChangedAt: since } });
const conversationOf = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });
const endSnoozeOf = async (id: string) => {
  await db().conversation.update({ where: { id }, data: { snoozedUntil: hoursAgo(0) } });
  await endSnoozes();
};
/** Dates back the last change of a conversation's status, as if hours had passed since. */
const passHours = async (id: string, hours: number) => {
  const createdAt = hoursAgo(hours);
  await db().conversation.update({ where: { id }, data: { statusChangedAt: createdAt } });
  await db().timelineEntry.updateMany({ where: { conversationId: id }, data: { createdAt } });
};
const statusOf = async (id: string) => (await conversationOf(id)).status;

describe('a flow that waits for time', () => {
  test('closes what stayed pending for three days, says so, and nothing else', async ({
    connection,
    addOld,
    started,
  }) => {
    await addOld({ ...CLOSES, name: 'Tidy' });
    const younger = await startConversation(connection);
    const open = await startConversation(connection);
    await setPending(started, hoursAgo(73));
    await setPending(younger, hoursAgo(71));
    await db().conversation.update({ where: { id: open }, data: { statusChangedAt: hoursAgo(80) } });
    await runTimedFlows();
    expect([await statusOf(started), await statusOf(younger), await statusOf(open)]).toEqual([
      'closed',
      'pending',
      'open',
    ]);
    expect((await timelineOf(started)).at(-1)).toMatchObject({
      kind: 'status_changed',
      actorKind: 'flow',
      data: { to: 'closed', cause: { kind: 'stayed', status: 'pending', hours: 72 } },
    });
  });

  test('never runs on what waited before it was saved, turned on, or given another time', async ({
    connection,
    addFlow,
    addOld,
    started,
  }) => {
    const { workspaceId, teammate: by } = connection;
    await setPending(started, hoursAgo(1_000));
    await addFlow(CLOSES);
    const off = await addOld(CLOSES);
    await switchFlow({ workspaceId, by, id: off, enabled: false });
    const changed = await addOld(CLOSES);
    await setPending(started, hoursAgo(90));
    await switchFlow({ workspaceId, by, id: off, enabled: true });
    const form = { ...FLOW_FORM, channels: [], words: '', emailDomain: '', tags: '' };
    await updateFlow({ workspaceId, by, id: changed, ...form, ...CLOSES, time: '2' });
    await runTimedFlows();
    expect(await statusOf(started)).toBe('pending');
  });

  test('still counts from when it was saved after a change of its name or actions', async ({
    connection: { workspaceId, teammate: by },
    addOld,
    started,
  }) => {
    const id = await addOld(CLOSES);
    await setPending(started, hoursAgo(73));
    const form = { ...FLOW_FORM, channels: [], words: '', emailDomain: '' };
    await updateFlow({ workspaceId, by, id, ...form, ...CLOSES, name: 'Tidy', tags: 'late' });
    await runTimedFlows();
    expect(await statusOf(started)).toBe('closed');
  });

  test('runs once for each wait, and again when the conversation waits again', async ({
    addOld,
    started,
  }) => {
    const id = await addOld({ ...CLOSES, status: '', tags: 'late' });
    await setPending(started, hoursAgo(80));
    await runTimedFlows();
    await db().conversationTag.deleteMany({ where: { conversationId: started } });
    await runTimedFlows();
    expect(await db().conversationTag.count({ where: { conversationId: started } })).toBe(0);
    // A later wait, as if three days had passed.
    await db().flow.update({ where: { id }, data: { timedUntil: hoursAgo(80) } });
    await setPending(started, hoursAgo(75));
    await runTimedFlows();
    expect(await db().conversationTag.count({ where: { conversationId: started } })).toBe(1);
  });

  test('runs once for each conversation with two workers at once, also when waits started together', async ({
    connection,
    addOld,
  }) => {
    const since = hoursAgo(80);
    const ids = await Promise.all(Array.from({ length: 5 }, () => startConversation(connection)));
    for (const id of ids) await setPending(id, since);
    const flowId = await addOld({ ...CLOSES, status: '', tags: 'late' });
    await Promise.all([runTimedFlows(), runTimedFlows(), runTimedFlows()]);
    const runs = await db().flowRun.findMany({ where: { flowId } });
    expect(runs.map(({ conversationId }) => conversationId).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) {
      expect((await timelineOf(id)).filter(({ kind }) => kind === 'tagged')).toHaveLength(1);
    }
    expect(runs.every(({ runs }) => runs === 1)).toBe(true);
  });

  test('raises the priority when the contact waits, unless someone answered or parked the conversation', async ({
    connection,
    addOld,
    started,
  }) => {
    await addOld({ trigger: 'team_silent', time: '4', unit: 'hours', priority: 'urgent' });
    const answered = await startConversation(connection);
    const pending = await startConversation(connection);
    const waitingSince = hoursAgo(5);
    const where = { id: { in: [started, pending] } };
    await db().conversation.updateMany({ where, data: { waitingSince, statusChangedAt: waitingSince } });
    await db().conversation.update({ where: { id: pending }, data: { status: 'pending' } });
    await db().conversation.update({ where: { id: answered }, data: { waitingSince: null } });
    await runTimedFlows();
    const urgent = await db().conversation.findMany({
      where: { workspaceId: connection.workspaceId, priority: 'urgent' },
    });
    expect(urgent.map(({ id }) => id)).toEqual([started]);
  });

  test.for<[string, (at: { started: string } & Pick<Stage, 'workspaceId' | 'teammate'>) => Promise<unknown>]>(
    [
      ['whose snooze ended', ({ started }) => endSnoozeOf(started)],
      [
        'to which the contact wrote again',
        ({ started, workspaceId }) =>
          receiveMessage(...incoming(workspaceId, { conversationId: started, content: 'Hello?' })),
      ],
      [
        'that a teammate opened again',
        ({ started, workspaceId, teammate }) =>
          updateConversation({
            workspaceId,
            id: started,
            actor: { kind: 'teammate', teammate },
            changes: { status: 'open' },
          }),
      ],
    ],
  )(
    'raises the priority of an unanswered conversation %s after it was parked for longer',
    async ([_which, open], { connection, addOld, started }) => {
      const id = await addOld({ trigger: 'team_silent', time: '4', unit: 'hours', priority: 'urgent' });
      const parked = { status: 'pending', waitingSince: hoursAgo(30), snoozedUntil: hoursAgo(6) } as const;
      await db().conversation.update({ where: { id: started }, data: parked });
      await runTimedFlows();
      await open({ ...connection, started });
      await runTimedFlows();
      expect(await conversationOf(started)).toMatchObject({ status: 'open', priority: 'normal' });
      // As if five hours had passed.
      await db().conversation.update({ where: { id: started }, data: { statusChangedAt: hoursAgo(5) } });
      await db().flow.update({ where: { id }, data: { timedUntil: hoursAgo(9) } });
      await runTimedFlows();
      expect(await conversationOf(started)).toMatchObject({ priority: 'urgent' });
    },
  );

  test('solves what the contact does not answer, and starts other flows', async ({
    connection,
    addFlow,
    addOld,
    started,
  }) => {
    await addFlow({ trigger: 'status_changed', triggerStatus: 'solved', tags: 'silent' });
    await addOld({ trigger: 'contact_silent', time: '2', unit: 'days', status: 'solved' });
    const waiting = await startConversation(connection);
    const lastMessageAt = hoursAgo(49);
    await db().conversation.update({ where: { id: started }, data: { lastMessageAt, waitingSince: null } });
    await db().conversation.update({
      where: { id: waiting },
      data: { lastMessageAt, waitingSince: lastMessageAt },
    });
    await runTimedFlows();
    expect([await statusOf(started), await statusOf(waiting)]).toEqual(['solved', 'open']);
    const tags = await db().conversationTag.findMany({ where: { conversationId: started } });
    expect(tags.map(({ name }) => name)).toEqual(['silent']);
  });

  test('leaves a conversation whose message the contact did not get', async ({
    connection: { workspaceId },
    addOld,
    started,
  }) => {
    const flow = await addOld({ trigger: 'contact_silent', time: '2', unit: 'days', status: 'solved' });
    const { id } = await db().message.create({
      data: {
        workspaceId,
        conversationId: started,
        direction: 'outbound',
        authorKind: 'teammate',
        content: 'It is on its way.',
        sendStatus: 'failed',
        deliveryError: 'The mailbox is full.',
      },
    });
    const lastMessageAt = hoursAgo(49);
    await db().conversation.update({ where: { id: started }, data: { lastMessageAt, waitingSince: null } });
    await runTimedFlows();
    expect(await statusOf(started)).toBe('open');
    await db().message.update({ where: { id }, data: { sendStatus: 'sent', deliveryError: null } });
    await db().flow.update({ where: { id: flow }, data: { timedUntil: hoursAgo(100) } });
    await runTimedFlows();
    expect(await statusOf(started)).toBe('solved');
  });

  test('leaves a snoozed conversation, and counts from the end of its snooze', async ({
    connection: { workspaceId, teammate },
    addOld,
    started,
  }) => {
    await addOld({ ...CLOSES, name: 'Tidy' });
    const silent = await addOld({ trigger: 'contact_silent', time: '3', unit: 'days', tags: 'silent' });
    const actor = { kind: 'teammate' as const, teammate };
    const until = new Date(Date.now() + HOUR_MS);
    await snoozeConversation({ workspaceId, id: started, actor, until });
    const columns = { statusChangedAt: hoursAgo(73), lastMessageAt: hoursAgo(73), waitingSince: null };
    await db().conversation.update({ where: { id: started }, data: columns });
    await runTimedFlows();
    expect(await conversationOf(started)).toMatchObject({ status: 'pending', snoozedUntil: until });
    expect(await db().conversationTag.count({ where: { conversationId: started } })).toBe(0);
    await db().conversation.update({ where: { id: started }, data: { snoozedUntil: hoursAgo(0) } });
    await endSnoozes();
    // As if three days had passed.
    await db().conversation.update({ where: { id: started }, data: { lastMessageAt: hoursAgo(73) } });
    await db().flow.update({ where: { id: silent }, data: { timedUntil: hoursAgo(100) } });
    await runTimedFlows();
    expect(await conversationOf(started)).toMatchObject({ status: 'open' });
    expect(await db().conversationTag.count({ where: { conversationId: started } })).toBe(1);
  });

  test('counts again from when someone cancels a snooze and leaves the conversation pending', async ({
    connection: { workspaceId, teammate },
    addOld,
    started,
  }) => {
    const id = await addOld(CLOSES);
    const actor = { kind: 'teammate' as const, teammate };
    await setPending(started, hoursAgo(90));
    const until = new Date(Date.now() + HOUR_MS);
    await snoozeConversation({ workspaceId, id: started, actor, until });
    await runTimedFlows();
    await snoozeConversation({ workspaceId, id: started, actor, until: null });
    await runTimedFlows();
    const { status, statusChangedAt } = await conversationOf(started);
    const { timedUntil } = await db().flow.findUniqueOrThrow({ where: { id } });
    expect({ status, hasItsTurn: statusChangedAt > (timedUntil ?? 0) }).toEqual({
      status: 'pending',
      hasItsTurn: true,
    });
    // As if three days had passed.
    await db().conversation.update({ where: { id: started }, data: { statusChangedAt: hoursAgo(73) } });
    await db().flow.update({ where: { id }, data: { timedUntil: hoursAgo(100) } });
    await runTimedFlows();
    expect(await statusOf(started)).toBe('closed');
  });

  test.for<[string, 'pending' | 'open']>([
    ['cancels its snooze', 'pending'],
    ['opens it', 'open'],
  ])(
    'counts the silence of the contact of a snoozed conversation again from when someone %s',
    async ([_how, status], { connection: { workspaceId, teammate }, addOld, started }) => {
      const flow = await addOld({ trigger: 'contact_silent', time: '3', unit: 'days', tags: 'silent' });
      const actor = { kind: 'teammate', teammate } as const;
      const which = { workspaceId, id: started, actor };
      const countTags = () => db().conversationTag.count({ where: { conversationId: started } });
      const columns = { lastMessageAt: hoursAgo(90), waitingSince: null };
      await db().conversation.update({ where: { id: started }, data: columns });
      await snoozeConversation({ ...which, until: new Date(Date.now() + HOUR_MS) });
      await runTimedFlows();
      if (status === 'open') await updateConversation({ ...which, changes: { status } });
      else await snoozeConversation({ ...which, until: null });
      await runTimedFlows();
      expect([await statusOf(started), await countTags()]).toEqual([status, 0]);
      await passHours(started, 73);
      await db().flow.update({ where: { id: flow }, data: { timedUntil: hoursAgo(80) } });
      await runTimedFlows();
      expect(await countTags()).toBe(1);
    },
  );

  test('still counts the silence of a contact from the last message after the conversation was set to pending', async ({
    connection: { workspaceId, teammate },
    addOld,
    started,
  }) => {
    await addOld({ trigger: 'contact_silent', time: '3', unit: 'days', status: 'solved' });
    const actor = { kind: 'teammate', teammate } as const;
    await updateConversation({ workspaceId, id: started, actor, changes: { status: 'pending' } });
    const columns = { lastMessageAt: hoursAgo(73), waitingSince: null };
    await db().conversation.update({ where: { id: started }, data: columns });
    await runTimedFlows();
    expect(await statusOf(started)).toBe('solved');
  });

  test('does not look again at what did not wait for it', async ({ addOld, started }) => {
    const id = await addOld({ trigger: 'contact_silent', time: '2', unit: 'days', tags: 'late' });
    await db().conversation.update({ where: { id: started }, data: { lastMessageAt: hoursAgo(60) } });
    await runTimedFlows();
    const { timedUntil } = await db().flow.findUniqueOrThrow({ where: { id } });
    expect(Math.abs((timedUntil?.getTime() ?? 0) - hoursAgo(48).getTime())).toBeLessThan(HOUR_MS);
    expect(await db().conversationTag.count({ where: { conversationId: started } })).toBe(0);
  });

  test('leaves a conversation that someone changed in the meantime', async ({
    connection: { workspaceId, teammate },
    addOld,
    started,
  }) => {
    await addOld(CLOSES);
    await setPending(started, hoursAgo(73));
    await updateConversation({
      workspaceId,
      id: started,
      actor: { kind: 'teammate', teammate },
      changes: { status: 'open' },
    });
    await runTimedFlows();
    expect(await statusOf(started)).toBe('open');
  });
});
