import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { type InboxFilter, type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { addListed } from '#test/fixtures/listed-conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest
  .extend('inbox', ({ service }) => makeInboxReader(service.url))
  .extend('large', { scope: 'file' }, ({ service }) => fillLarge(service.url));

test('a conversation is verified once its contact has an address', async ({ inbox }) => {
  const { workspaceId } = inbox;
  const claim = async (subject: string, email: string | null) => {
    const { id: contactId } = await db().contact.create({
      data: { workspaceId, email, claimedEmail: 'ada@mail.test' },
    });
    await addListed({ workspaceId, subject, contactId, contactClaimed: true });
  };
  await claim('claimed', null);
  await claim('proved', 'ada@mail.test');
  await addListed({ workspaceId, subject: 'plain' });
  expect(await subjects(inbox, { verified: 'no' })).toEqual(['claimed']);
  expect(await subjects(inbox, { verified: 'yes' })).toEqual(['plain', 'proved']);
  expect((await inbox.counts({ verified: 'no' })).open).toEqual({ count: 1, more: false });
});

test('unread and failed conversations combine with each other and with further filters', async ({
  inbox,
}) => {
  const { workspaceId } = inbox;
  await db().member.updateMany({ where: { workspaceId }, data: { readBefore: new Date(0) } });
  const unread = { workspaceId, lastMessageAt: new Date(), lastInboundAt: new Date() };
  const failed = await addListed({ ...unread, subject: 'unread and failed', channel: 'slack' });
  await addListed({ ...unread, subject: 'unread', channel: 'slack' });
  await db().$executeRaw`update conversations set has_failed_reply = true where id = ${failed}::uuid`;
  expect(await subjects(inbox, { unread: 'yes', channel: 'slack' })).toHaveLength(2);
  expect(await subjects(inbox, { unread: 'yes', reply: 'failed', channel: 'slack' })).toEqual([
    'unread and failed',
  ]);
});

describe('in a large inbox', () => {
  test.for<[string, Filter, number]>([
    ['overdue, which the oldest are', { sla: 'overdue' }, OLDEST],
    ['due soon, which none is', { sla: 'soon' }, 0],
    ['overdue of a team', { sla: 'overdue', team: true }, OLDEST / 2],
    ['overdue and urgent', { sla: 'overdue', priority: 'urgent' }, 1],
    ['created in the last day', { created: '1d' }, OLDEST],
    ['created in the last week and urgent', { created: '7d', priority: 'urgent' }, 1],
    ['without a message for a week', { active: 'over-7d' }, LARGE - 7 * 24 * 60 + 1],
  ])(
    '%s: the first page and the counts are complete, and read few rows',
    async ([_name, given, found], { large }) => {
      const { team, ...filter } = { ...given, ...(given.team ? { teamId: large.teamId } : {}) };
      const { inbox } = await large.screens();
      const page = await inbox.list({ ...filter, status: 'open' });
      expect(page.rows).toHaveLength(Math.min(found, 50));
      expect(page.nextCursor === null).toBe(found <= 50);
      const { open } = await inbox.counts(filter);
      expect(open).toEqual({ count: Math.min(found, 999), more: found > 999 });
      expect(await readRows(() => inbox.list({ ...filter, status: 'open' }))).toBeLessThan(2_500);
      expect(await readRows(() => inbox.counts(filter))).toBeLessThan(2_500);
    },
  );

  test('overdue conversations, due first, are one range of the index', async ({ large }) => {
    const { inbox } = await large.screens();
    const { rows, nextCursor } = await inbox.list({ sla: 'overdue', order: 'due' });
    expect(rows).toHaveLength(OLDEST);
    expect(nextCursor).toBeNull();
    expect(await readRows(() => inbox.list({ sla: 'overdue', order: 'due' }))).toBeLessThan(700);
  });

  test('conversations that are not verified are read from their index', async ({ large: { screens } }) => {
    const { inbox } = await screens();
    for (const filter of [{ verified: 'no' }, { verified: 'no', assignee: 'unassigned' }] as const) {
      expect(await readRows(() => inbox.list({ ...filter, status: 'open' }))).toBeLessThan(10);
      expect(await readRows(() => inbox.counts(filter))).toBeLessThan(10);
    }
  });

  test('a priority is found in bounded steps, of which the first is short', async ({
    large: { screens },
  }) => {
    const { inbox } = await screens();
    const filter = { status: 'open', priority: 'urgent' } as const;
    const steps: { found: number; isShort: boolean }[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const given = cursor === undefined ? filter : { ...filter, cursor };
      const read = await readRows(() => inbox.list(given));
      expect(read).toBeLessThan(22_000);
      const { rows, nextCursor } = await inbox.list(given);
      steps.push({ found: rows.length, isShort: read < 2_500 });
      cursor = nextCursor;
    }
    expect(steps).toEqual([
      { found: 0, isShort: true },
      { found: 0, isShort: false },
      { found: 1, isShort: false },
    ]);
    // A list that is loaded again up to its position is read in long steps.
    expect(await readRows(() => inbox.list({ ...filter, rows: 300 }))).toBeGreaterThan(10_000);
  });

  test.for<[string, Filter]>([
    ['a priority', { priority: 'urgent' }],
    ['created long ago', { created: 'over-30d' }],
  ])('%s is counted in bounded steps', async ([_name, filter], { large: { screens } }) => {
    const { inbox } = await screens();
    expect(await readRows(() => inbox.counts(filter))).toBeLessThan(8_000);
  });
});

type Filter = NonNullable<InboxFilter> & { team?: true };

async function subjects({ list }: InboxReader, filter: InboxFilter): Promise<(string | null)[]> {
  return (await list(filter)).rows.map(({ subject }) => subject);
}

const LARGE = 25_000;
/** The oldest conversations, which differ from all others. */
const OLDEST = 40;

/**
 * Creates a large workspace with a message each minute. The oldest conversations are overdue and new, half of them
 * belong to the team, and one of them is urgent.
 */
async function fillLarge(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  const { workspaceId, teamId } = inbox;
  await inBulk(
    (bulk) => bulk.$executeRaw`
      insert into conversations (id, workspace_id, channel, subject, team_id, priority, last_message_at, next_due_at,
        created_at, updated_at)
      select gen_random_uuid(), ${workspaceId}::uuid, 'email', 'Order', case when n % 2 = 0 then ${teamId}::uuid end,
        (case when n = ${LARGE}::int then 'urgent' else 'normal' end)::priority, now() - n * interval '1 minute',
        case when is_oldest then now() - interval '1 hour' when n % 3 = 0 then now() + interval '1 day' end,
        case when is_oldest then now() else now() - interval '60 days' end, now()
      from (select n, n > ${LARGE - OLDEST}::int as is_oldest from generate_series(1, ${LARGE}::int) n) given`,
  );
  await pool().query('vacuum analyze conversations');
  return inbox;
}

/** Returns the number of rows that a call reads. */
async function readRows(call: () => Promise<unknown>): Promise<number> {
  const readings = await Promise.all((await statementsOf(call)).map(readPlan));
  return readings.reduce((sum, { rows }) => sum + rows, 0);
}
