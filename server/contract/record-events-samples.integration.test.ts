import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type NewEvent, recordEvents } from '#server/contract/record-events.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConversation, recordOf, type Stage } from '#test/fixtures/conversations.ts';
import { makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { BY_THE_SERVICE } from '#test/fixtures/occurrences.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

const test = serviceTest.extend('recorder', ({ connection, conversation }) =>
  recorderOf(connection, conversation),
);

describe('an event writes its rows for samples', () => {
  test('one row without a filter', async ({ recorder: { record, rated, received, rows } }) => {
    await record(EARLY, await rated('first'), await received('second'));
    expect(await rows()).toEqual(['conversation.rated : first', 'message.received : second']);
  });

  test('another row for each added tag, in lowercase', async ({ recorder: { record, tagged, rows } }) => {
    await record(EARLY, await tagged('first', ['VIP', 'Größe "x", {y}']));
    expect(await rows()).toEqual([
      'conversation.tagged : first',
      'conversation.tagged größe "x", {y}: first',
      'conversation.tagged vip: first',
    ]);
  });

  test('another row for its command', async ({ recorder: { record, ran, rows } }) => {
    await record(EARLY, await ran('first', 'refund'));
    expect(await rows()).toEqual(['operator.command : first', 'operator.command refund: first']);
  });

  test('with timestamp and workspace', async ({ connection, conversation, recorder: { record, rated } }) => {
    await record(LATE, await rated('first'));
    const row = await db().sample.findFirstOrThrow({ where: { conversationId: conversation } });
    expect(row).toMatchObject({ workspaceId: connection.workspaceId, occurredAt: LATE });
  });
});

test('events whose values are columns of the conversation write no rows', async ({
  recorder: { record, rows, recordNow },
}) => {
  const shown = await recordNow();
  await record(
    EARLY,
    { key: 'conversation.created', payload: { conversation: shown } },
    { key: 'conversation.status_changed', payload: { conversation: shown, previous_status: null } },
    { key: 'conversation.assigned', payload: { conversation: shown, previous_assignee: null } },
  );
  expect(await rows()).toEqual([]);
});

test('the newest event replaces the row of the same tag or command only', async ({
  recorder: { record, tagged, ran, rows },
}) => {
  await record(EARLY, await tagged('first', ['vip', 'late']), await ran('first', 'refund'));
  await record(LATE, await tagged('second', ['Vip']), await ran('second', 'escalate'));
  expect(await rows()).toEqual([
    'conversation.tagged : second',
    'conversation.tagged late: first',
    'conversation.tagged vip: second',
    'operator.command : second',
    'operator.command escalate: second',
    'operator.command refund: first',
  ]);
});

test('an earlier event recorded later replaces nothing', async ({ recorder: { record, rated, rows } }) => {
  await record(LATE, await rated('second'));
  await record(EARLY, await rated('first'));
  expect(await rows()).toEqual(['conversation.rated : second']);
});

test('the last of several events in one call, or with one timestamp, remains', async ({
  recorder: { record, received, rows },
}) => {
  await record(EARLY, await received('first'), await received('second'));
  expect(await rows()).toEqual(['message.received : second']);
  await record(EARLY, await received('third'));
  expect(await rows()).toEqual(['message.received : third']);
});

test('without a connection rows are written, but no event is recorded', async () => {
  const { id: workspaceId } = await makeWorkspace();
  const teammate = await makeUser();
  await db().member.create({ data: { workspaceId, userId: teammate.id, role: 'owner' } });
  const stage = { workspaceId, teammate };
  const { record, rated, rows } = recorderOf(stage, await makeConversation(stage));
  await record(EARLY, await rated('first'));
  expect(await rows()).toEqual(['conversation.rated : first']);
  expect(await db().event.count({ where: { workspaceId } })).toBe(0);
});

test('a rollback of the change undoes the rows', async ({
  connection,
  recorder: { record, rated, rows },
}) => {
  await record(EARLY, await rated('first'));
  const event = await rated('second');
  const change = inTransaction(async (tx) => {
    await recordEvents(tx, {
      workspaceId: connection.workspaceId,
      events: [event],
      cause: BY_THE_SERVICE,
      now: LATE,
    });
    throw new Error('The change failed.');
  });
  await expect(change).rejects.toThrow('The change failed.');
  expect(await rows()).toEqual(['conversation.rated : first']);
});

test('the rows are deleted with their conversation', async ({
  conversation,
  recorder: { record, rated, rows },
}) => {
  await record(EARLY, await rated('first'));
  await db().conversation.delete({ where: { id: conversation } });
  expect(await rows()).toEqual([]);
});

describe('two concurrent transactions', () => {
  test.for([
    { what: 'the newer commits last', first: EARLY, second: LATE, stays: 'second' },
    { what: 'the newer commits first', first: LATE, second: EARLY, stays: 'first' },
  ])(
    'retain the newer event when $what',
    async ({ first, second, stays }, { connection, recorder: { record, rated, rows } }) => {
      const [one, other] = [await rated('first'), await rated('second')];
      let waiting = Promise.resolve();
      await inTransaction(async (tx) => {
        await recordEvents(tx, {
          workspaceId: connection.workspaceId,
          events: [one],
          cause: BY_THE_SERVICE,
          now: first,
        });
        waiting = record(second, other);
        await until('the second waits for the first', async () => (await countLockWaiters()) === 1);
      });
      await waiting;
      expect(await rows()).toEqual([`conversation.rated : ${stays}`]);
    },
  );

  test('that add the same tags in another order both succeed', async ({
    conversation,
    recorder: { record, tagged },
  }) => {
    const tags = Array.from({ length: 20 }, (_, number) => `tag ${number}`);
    const [one, other] = [await tagged('first', tags), await tagged('second', tags.toReversed())];
    for (let times = 0; times < 10; times += 1)
      await Promise.all([record(EARLY, one), record(LATE, other), record(EARLY, other), record(LATE, one)]);
    expect(await db().sample.count({ where: { conversationId: conversation, occurredAt: LATE } })).toBe(21);
  });
});

const [EARLY, LATE] = [new Date('2026-11-21T06:00:00.000Z'), new Date('2026-11-21T07:00:00.000Z')];

/** Ids of subjects. Recording does not check that the subjects exist. */
const SUBJECTS = { first: randomUUID(), second: randomUUID(), third: randomUUID() };
type Subject = keyof typeof SUBJECTS;

/** Returns functions that record events of a conversation and return the rows for its samples. */
function recorderOf({ workspaceId, teammate }: Stage, conversationId: string) {
  const recordNow = () => recordOf(conversationId);
  return {
    recordNow,
    tagged: async (subject: Subject, tags: string[]): Promise<NewEvent> => {
      const payload = { conversation: await recordNow(), added_tags: tags };
      return { key: 'conversation.tagged', subjectId: SUBJECTS[subject], payload };
    },
    ran: async (subject: Subject, command: string): Promise<NewEvent> => {
      const payload = { conversation: await recordNow(), command, arguments: '', operator: teammate };
      return { key: 'operator.command', subjectId: SUBJECTS[subject], payload };
    },
    rated: async (subject: Subject): Promise<NewEvent> => {
      const payload = { conversation: await recordNow(), rating: { score: 5, comment: null } };
      return { key: 'conversation.rated', subjectId: SUBJECTS[subject], payload };
    },
    received: async (subject: Subject): Promise<NewEvent> => {
      const message = { id: SUBJECTS[subject], content: 'Hi', created_at: '', attachments_count: 0 };
      const payload = { conversation: await recordNow(), message };
      return { key: 'message.received', subjectId: SUBJECTS[subject], payload };
    },
    record: (now: Date, ...events: NewEvent[]) =>
      inTransaction((tx) => recordEvents(tx, { workspaceId, events, cause: BY_THE_SERVICE, now })),
    /** Returns the conversation's rows as `event filter: subject`, in order. */
    rows: async (): Promise<string[]> => {
      const found = await db().sample.findMany({
        where: { conversationId },
        orderBy: [{ event: 'asc' }, { filter: 'asc' }],
      });
      const nameOf = (id: string) => Object.entries(SUBJECTS).find(([, subject]) => subject === id)?.[0];
      return found.map(({ event, filter, subjectId }) => `${event} ${filter}: ${nameOf(subjectId)}`);
    },
  };
}
