import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { type InboxFilter, type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('mixed', { scope: 'file' }, ({ service }) => fillMixed(service.url));

describe('the order', () => {
  test.for<[NonNullable<InboxFilter>, (a: Row, b: Row) => number]>([
    [{}, newest],
    [{ order: 'oldest' }, (a, b) => +a.lastMessageAt - +b.lastMessageAt || compareIds(a, b)],
    [{ order: 'priority' }, (a, b) => rank(a) - rank(b) || newest(a, b)],
    [{ order: 'waiting' }, first(waitingOf, (a, b) => +waitingOf(a) - +waitingOf(b))],
    [{ order: 'due' }, first(dueOf, (a, b) => +dueOf(a) - +dueOf(b))],
  ])('of %j is the same in every filter, page by page', async ([{ order }, compare], { mixed }) => {
    const all = await rowsOf(mixed);
    for (const [filter, isListed] of filters(mixed)) {
      const expected = all.filter(isListed).sort(compare);
      expect(expected.length).toBeGreaterThan(0);
      expect({ filter, ids: await pages(mixed, { ...filter, ...(order ? { order } : {}) }) }).toEqual({
        filter,
        ids: expected.map(({ id }) => id),
      });
    }
  });

  test('of an invalid position starts at the first row', async ({ mixed: { list } }) => {
    const first = (await list({ order: 'waiting', rows: 3 })).rows;
    for (const cursor of ['x', '1', '7:', ':', '0:5-x']) {
      expect((await list({ order: 'waiting', rows: 3, cursor })).rows).toEqual(first);
    }
  });
});

test('the due time is that of the next running SLA clock', async ({ mixed: { workspaceId } }) => {
  const { id } = await db().conversation.create({ data: { workspaceId, channel: 'email' } });
  const nextDue = async () =>
    (await db().conversation.findUniqueOrThrow({ where: { id } })).nextDueAt?.getTime() ?? null;
  const [sooner, later] = [START + 60_000, START + 120_000];
  const clock = { workspaceId, conversationId: id };
  await db().slaClock.createMany({
    data: [
      { ...clock, kind: 'resolution', dueAt: new Date(later) },
      { ...clock, kind: 'first_response', dueAt: new Date(sooner) },
    ],
  });
  expect(await nextDue()).toBe(sooner);
  const change = (
    kind: 'resolution' | 'first_response',
    data: { pausedAt?: Date | null; stoppedAt?: Date },
  ) => db().slaClock.updateMany({ where: { conversationId: id, kind }, data });
  await change('first_response', { stoppedAt: new Date() });
  expect(await nextDue()).toBe(later);
  await change('resolution', { pausedAt: new Date() });
  expect(await nextDue()).toBeNull();
  await change('resolution', { pausedAt: null });
  expect(await nextDue()).toBe(later);
  await db().conversation.delete({ where: { id } });
});

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const rowsOf = ({ workspaceId }: InboxReader) =>
  db().conversation.findMany({ where: { workspaceId, isTest: false }, include: { tags: true } });

const compareIds = (a: Row, b: Row) => (a.id < b.id ? -1 : 1);

function newest(a: Row, b: Row): number {
  return +b.lastMessageAt - +a.lastMessageAt || compareIds(b, a);
}

const rank = ({ priority }: Row) => ['urgent', 'high', 'normal', 'low'].indexOf(priority);

/** The contact waits in open and pending conversations only. */
function waitingOf({ status, waitingSince }: Row): Date | number {
  return status === 'open' || status === 'pending' ? (waitingSince ?? 0) : 0;
}

function dueOf({ nextDueAt }: Row): Date | number {
  return nextDueAt ?? 0;
}

/** Returns an order in which rows with a time come first, and the others follow, newest first. */
function first(timeOf: (row: Row) => Date | number, compare: (a: Row, b: Row) => number) {
  return (a: Row, b: Row) => {
    const [inA, inB] = [timeOf(a) !== 0, timeOf(b) !== 0];
    if (inA !== inB) return inA ? -1 : 1;
    return inA ? compare(a, b) || compareIds(a, b) : newest(a, b);
  };
}

function filters({
  reader,
  teamId,
}: InboxReader): [Omit<NonNullable<InboxFilter>, 'order'>, (row: Row) => boolean][] {
  return [
    [{}, () => true],
    [{ status: 'open' }, ({ status }) => status === 'open'],
    [{ status: 'solved' }, ({ status }) => status === 'solved'],
    [{ teamId }, (row) => row.teamId === teamId],
    [
      { assignee: 'me', status: 'pending' },
      (row) => row.assigneeId === reader.id && row.status === 'pending',
    ],
    [{ assignee: 'unassigned' }, ({ assigneeId }) => assigneeId === null],
    [{ assignee: 'me', teamId }, (row) => row.assigneeId === reader.id && row.teamId === teamId],
    [{ channel: 'slack' }, ({ channel }) => channel === 'slack'],
    [{ unread: 'yes' }, ({ lastInboundAt }) => lastInboundAt !== null],
    [{ tag: 'vip' }, ({ tags }) => tags.length > 0],
    [{ priority: 'urgent' }, ({ priority }) => priority === 'urgent'],
    [{ sla: 'overdue' }, ({ nextDueAt }) => nextDueAt !== null && +nextDueAt <= Date.now()],
    [{ sla: 'soon', status: 'open', teamId }, (row) => row.teamId === teamId && isDueSoon(row)],
    [{ verified: 'no' }, ({ contactClaimed }) => contactClaimed],
    [{ verified: 'yes', status: 'open' }, (row) => !row.contactClaimed && row.status === 'open'],
    [
      { active: '1d', assignee: 'me' },
      (row) => row.assigneeId === reader.id && +row.lastMessageAt > daysAgo(1),
    ],
    [{ active: 'over-7d' }, ({ lastMessageAt }) => +lastMessageAt <= daysAgo(7)],
    [{ created: '7d', status: 'open' }, (row) => +row.createdAt > daysAgo(7) && row.status === 'open'],
    [{ created: 'over-30d' }, ({ createdAt }) => +createdAt <= daysAgo(30)],
    [
      { unread: 'yes', priority: 'urgent', active: '7d', created: '30d' },
      (row) =>
        row.lastInboundAt !== null &&
        row.priority === 'urgent' &&
        +row.lastMessageAt > daysAgo(7) &&
        +row.createdAt > daysAgo(30),
    ],
    [{ search: 'parcel', status: 'open' }, (row) => row.subject === 'Parcel' && row.status === 'open'],
  ];
}

function isDueSoon({ nextDueAt, status }: Row): boolean {
  const left = nextDueAt ? +nextDueAt - Date.now() : 0;
  return status === 'open' && left > 0 && left <= 60 * 60_000;
}

const daysAgo = (days: number) => Date.now() - days * DAY_MS;

/** Reads a list page by page and returns all ids. */
async function pages({ list }: InboxReader, filter: NonNullable<InboxFilter>): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 1; page < 40; page += 1) {
    const { rows, nextCursor } = await list({ ...filter, rows: 7, ...(cursor ? { cursor } : {}) });
    seen.push(...rows.map(({ id }) => id));
    cursor = nextCursor;
    if (!cursor) return seen;
  }
  throw new Error('The list has no end.');
}

/** Creates a workspace with a hundred conversations. Several share each time, so that the id decides their order. */
async function fillMixed(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  const { workspaceId, reader, teamId } = inbox;
  await pool().query('update members set read_before = $2 where workspace_id = $1', [
    workspaceId,
    new Date(daysAgo(20)),
  ]);
  await pool().query(
    `with made as (
       insert into conversations (id, workspace_id, channel, subject, status, assignee_id, assigned_at, team_id,
         resolved_at, last_message_at, last_inbound_at, waiting_since, priority, contact_claimed, created_at, updated_at)
       select gen_random_uuid(), $1, (array['email', 'slack'])[1 + n % 2]::channel, case when n % 3 = 0 then 'Parcel' else 'Order' end,
         status, case when n % 4 = 0 then $2::uuid end, case when n % 4 = 0 then now() end, case when n % 5 < 2 then $3::uuid end,
         case when status = 'solved' then now() end, now() - (n / 6) * interval '11 hours',
         case when n % 2 = 0 then now() end, case when n % 7 < 3 then now() - (n * 37 % 50) / 4 * interval '1 minute' end,
         (array['normal', 'urgent', 'low', 'high'])[1 + n / 3 % 4]::priority, n % 9 = 4, now() - (n * 31 % 100) * interval '11 hours', now()
       from generate_series(0, 99) n
       cross join lateral (select (array['open', 'open', 'pending', 'solved'])[1 + n % 11 % 4]::conversation_status as status) s
       returning id, workspace_id, status, subject, created_at
     ), tagged as (
       insert into conversation_tags (conversation_id, workspace_id, key, name)
       select id, workspace_id, 'vip', 'VIP' from made where subject = 'Parcel'
     )
     insert into sla_clocks (id, workspace_id, conversation_id, kind, due_at)
     select gen_random_uuid(), workspace_id, id, 'resolution', now() + (row_number() over (order by created_at) / 3 - 5) * interval '20 minutes'
     from made where status = 'open' and subject = 'Order'`,
    [workspaceId, reader.id, teamId],
  );
  return inbox;
}

const START = Date.parse('2026-11-21T12:00:00.000Z');
const DAY_MS = 86_400_000;
