import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type EventCursor,
  parseEventCursor,
  writeEventCursor,
} from '#server/automation/event-log/event-cursor.ts';
import { type EventPage, readEvents } from '#server/automation/event-log/read-events.ts';
import { startLogEpoch } from '#server/automation/event-log/start-log-epoch.ts';
import { recordEvents } from '#server/contract/record-events.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { refusalIn } from '#server/core/errors.ts';
import { removeConversation, restoreConversation } from '#server/inbox/conversations/removal.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { BY_THE_SERVICE, makeOccurrence } from '#test/fixtures/occurrences.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test('pages list every event once, in the order of recording', async ({ connection }) => {
  const { workspaceId } = connection;
  const made = [];
  for (let n = 0; n < 7; n += 1) made.push(await makeOccurrence('contact.created', connection, { at: NOW }));
  const other = await makeConnection();
  await makeOccurrence('contact.created', other, { at: NOW });
  await isSettled(workspaceId, made.length);
  const pages = await readAll(workspaceId, { limit: 3 });
  expect(pages.map(({ events }) => events.length)).toEqual([3, 3, 1]);
  expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
  expect(pages.flatMap(contactsOf)).toEqual(made);
});

test('an event whose transaction commits late is listed after the cursor, not before it', async ({
  connection,
}) => {
  const { workspaceId } = connection;
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const late = inTransaction(async (tx) => {
    await record(tx, workspaceId, first);
    begun.resolve();
    await slow.promise;
  });
  await begun.promise;
  await inTransaction((tx) => record(tx, workspaceId, second));
  const before = await readEvents({ workspaceId, after: undefined, limit: 10 });
  expect(before.events).toEqual([]);
  slow.resolve();
  await late;
  await inTransaction((tx) => record(tx, workspaceId, third));
  await isSettled(workspaceId, 3);
  const page = await readEvents({ workspaceId, after: before.next, limit: 10 });
  expect(page.events.map(({ id }) => id)).toEqual([first, second, third]);
});

test('readers who follow concurrent writers lose no event and get none twice', async ({ connection }) => {
  const { workspaceId } = connection;
  const ids = Array.from({ length: 120 }, () => randomUUID());
  let isWriting = true;
  const write = async (mine: string[]) => {
    for (const id of mine) {
      await inTransaction(async (tx) => {
        await record(tx, workspaceId, id);
        // Holds some transactions open while others commit.
        if (id < '8') await tx.$executeRaw`select pg_sleep(0.005)`;
      });
    }
  };
  const writers = Promise.all([0, 1, 2].map((n) => write(ids.filter((_, i) => i % 3 === n)))).finally(() => {
    isWriting = false;
  });
  const read: string[] = [];
  let after: EventCursor | undefined;
  for (let isLast = false; !isLast; ) {
    isLast = !isWriting;
    const page = await readEvents({ workspaceId, after, limit: 7 });
    read.push(...page.events.map(({ id }) => id));
    after = page.next;
    isLast = isLast && read.length >= ids.length;
  }
  await writers;
  expect(read.toSorted()).toEqual(ids.toSorted());
});

test('after "now" there is nothing, and its cursor shows what happens next', async ({ connection }) => {
  const { workspaceId } = connection;
  await makeOccurrence('contact.created', connection, { at: NOW });
  await isSettled(workspaceId, 1);
  const { events, hasMore, next } = await readEvents({ workspaceId, after: 'now', limit: 10 });
  expect({ events, hasMore }).toEqual({ events: [], hasMore: false });
  const id = await makeOccurrence('contact.created', connection, { at: NOW });
  await isSettled(workspaceId, 2);
  const page = await readEvents({ workspaceId, after: next, limit: 10 });
  expect(contactsOf(page)).toEqual([id]);
});

test('events of spam and deleted conversations are left out, and return with them', async ({
  connection,
}) => {
  const { workspaceId, teammate } = connection;
  const actor = { kind: 'teammate', teammate } as const;
  const [kept, deleted, spam] = [
    await makeOccurrence('conversation.created', connection, { at: NOW }),
    await makeOccurrence('conversation.created', connection, { at: NOW }),
    await makeOccurrence('conversation.created', connection, { at: NOW }),
  ];
  await isSettled(workspaceId, 3);
  await removeConversation({ workspaceId, id: deleted, to: 'deleted', actor });
  await removeConversation({ workspaceId, id: spam, to: 'spam', actor });
  const listed = async () => (await readAll(workspaceId, { limit: 1 })).flatMap(conversationsOf);
  expect(await listed()).toEqual([kept]);
  await restoreConversation({ workspaceId, id: spam, from: 'spam', actor });
  expect(await listed()).toEqual([kept, spam]);
});

test('an event names who caused it and through which connection', async ({ connection, api }) => {
  const { body } = await api('POST', '/contacts', { name: 'Ada' });
  const { events } = await isSettled(connection.workspaceId, 1);
  const { id, name } = connection.teammate;
  expect(events).toEqual([
    {
      id: expect.any(String),
      body: expect.stringContaining((body as { id: string }).id),
      actor: { type: 'platform', id, name },
      causeId: connection.id,
    },
  ]);
});

test('after a restore, new events come after every cursor', async ({ connection }) => {
  const { workspaceId } = connection;
  const first = await makeOccurrence('contact.created', connection, { at: NOW });
  // A database whose transactions were far ahead of this cluster's.
  await db()
    .$executeRaw`update events set log_position = log_position + 1000000 where workspace_id = ${workspaceId}::uuid`;
  await db().$executeRaw`update event_log_epochs set history = 'another cluster'`;
  await startLogEpoch();
  await startLogEpoch();
  const before = await readEvents({ workspaceId, after: undefined, limit: 1 });
  expect(contactsOf(before)).toEqual([first]);
  const second = await makeOccurrence('contact.created', connection, { at: NOW });
  await isSettled(workspaceId, 2);
  const page = await readEvents({ workspaceId, after: before.next, limit: 10 });
  expect(contactsOf(page)).toEqual([second]);
  expect(await readAll(workspaceId, { limit: 1 })).toHaveLength(2);
});

test('a cursor older than the history is refused, because events after it are gone', async ({
  connection,
}) => {
  const { workspaceId } = connection;
  const { next } = await readEvents({ workspaceId, after: 'now', limit: 1 });
  const day = 24 * 60 * 60;
  const after = (days: number) =>
    readEvents({ workspaceId, after: { ...next, seconds: next.seconds - days * day }, limit: 1 });
  await expect(after(13)).resolves.toMatchObject({ events: [] });
  const refusal = refusalIn(await after(15).catch((error: unknown) => error));
  expect(refusal?.message).toMatch(/^This cursor is more than 14 days old/);
});

test('a reader that starts with the oldest events, which are removed by whole days, can read on', async ({
  connection,
}) => {
  const { workspaceId } = connection;
  await db().$executeRaw`
    insert into events (id, workspace_id, key, body, created_at)
    select gen_random_uuid(), ${workspaceId}::uuid, 'contact.created', '{"contact": {"id": "' || n || '"}}', now() - interval '350 hours'
    from generate_series(1, 3) n`;
  await isSettled(workspaceId, 3);
  const pages = await readAll(workspaceId, { limit: 1 });
  expect(pages.flatMap(contactsOf).toSorted()).toEqual(['1', '2', '3']);
});

test('a page reads about as many rows as it lists, however many events there are, also before statistics know of them', async ({
  connection,
}) => {
  const { workspaceId } = connection;
  const record = (from: number, to: number) => db().$executeRaw`
    insert into events (id, workspace_id, key, body, log_position)
    select overlay(gen_random_uuid()::text placing left(history_bound(current_date)::text, 13) from 1)::uuid,
      ${workspaceId}::uuid, 'contact.created', '{}', (1::bigint << 44) + n / 40
    from generate_series(${from}::int, ${to}::int) n`;
  await record(1, 20_000);
  await db().$executeRaw`analyze events`;
  await record(20_001, 25_000);
  const { next } = await readEvents({ workspaceId, after: 'now', limit: 1 });
  for (const offset of [10_000, 20_000]) {
    const [last] = await db().$queryRaw<{ id: string; position: string }[]>`
      select id, log_position::text as position from events where workspace_id = ${workspaceId}::uuid
      order by log_position, id offset ${offset} limit 1`;
    const after = { ...next, position: last?.position ?? '', eventId: last?.id ?? '' };
    const read = await readingOf(() => readEvents({ workspaceId, after, limit: 50 }));
    expect(read.statements).toBe(1);
    expect({ offset, rows: read.rows, isFew: read.rows < 160 }).toMatchObject({ isFew: true });
  }
});

test('a changed cursor is not a cursor', () => {
  const cursor = {
    position: '17592186045170',
    eventId: '019ac000-0000-7000-8000-000000000000',
    seconds: 1_764_000_000,
  };
  const text = writeEventCursor(cursor);
  expect(parseEventCursor(text)).toEqual(cursor);
  const broken = [
    '',
    'now',
    `${text}=`,
    text.slice(1),
    `${text}AA`,
    writeEventCursor({ ...cursor, position: '9'.repeat(19) }),
  ];
  for (const each of broken) expect(parseEventCursor(each), each).toBeNull();
});

const NOW = new Date();

const record = (tx: Tx, workspaceId: string, id: string) =>
  recordEvents(tx, {
    workspaceId,
    events: [{ key: 'contact.created', id, payload: { contact: { id } as never } }],
    cause: BY_THE_SERVICE,
  });

/** Waits until the log has this many events: transactions of other tests hold it up, as the server's databases share its ids. */
const isSettled = (workspaceId: string, count: number) =>
  until(`the log has ${count} events`, async () => {
    const page = await readEvents({ workspaceId, after: undefined, limit: 100 });
    return page.events.length >= count && page;
  });

async function readAll(workspaceId: string, { limit }: { limit: number }): Promise<EventPage[]> {
  const pages = [];
  let after: EventCursor | undefined;
  do {
    const page = await readEvents({ workspaceId, after, limit });
    pages.push(page);
    after = page.hasMore ? page.next : undefined;
  } while (after !== undefined);
  return pages;
}

const conversationsOf = ({ events }: EventPage): string[] =>
  events.map(({ body }) => JSON.parse(body).conversation.id);

const contactsOf = ({ events }: EventPage): string[] => events.map(({ body }) => JSON.parse(body).contact.id);
