import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { BUSY_CONVERSATIONS, EVERY, MATCHES, NEWEST, OLDEST } from '#test/database/large-installation.ts';
import { readingOf } from '#test/database/read-plan.ts';
import type { InboxFilter, InboxReader } from '#test/fixtures/inbox-reader.ts';
import { test as largeTest } from '#test/fixtures/large-workspace-test.ts';

// Lists read few more rows than they show, and all scans are bounded.

/** `inbox` and `old` are the procedures of a busy inbox, and of one after some years. `team` is a small team of the former. */
const test = largeTest
  .extend('inbox', { scope: 'file' }, async ({ busy }) => (await busy.screens()).inbox)
  .extend('old', { scope: 'file' }, async ({ years }) => (await years.screens()).inbox)
  .extend('team', { scope: 'file' }, ({ busy }) => busy.teamOf('Billing'));

/** Most rows of a page of 51 conversations, each with its newest message, contact, assignee, tags and SLA clocks. */
const PAGE_ROWS = 700;

describe('a page', () => {
  test.for(['newest', 'oldest', 'priority', 'waiting', 'due'] as const)(
    'by %s and the next one read few more rows than they show, in every filter',
    async (order, { inbox, team }) => {
      for (const filter of [
        { status: 'open' as const },
        {},
        { teamId: team },
        { assignee: 'me' as const, status: 'open' as const },
        { assignee: 'unassigned' as const },
      ]) {
        const { nextCursor } = await inbox.list({ ...filter, order });
        expect(nextCursor).not.toBeNull();
        for (const cursor of [undefined, nextCursor ?? '']) {
          const { rows } = await readingOf(() => inbox.list({ ...filter, order, cursor }));
          expect({ filter, cursor, isFew: rows < PAGE_ROWS, rows }).toMatchObject({ isFew: true });
        }
      }
    },
  );

  test.for<[string, InboxFilter]>([
    ['a status', { status: 'open' }],
    ['all statuses', {}],
    ['assigned to me', { assignee: 'me', status: 'closed' }],
    ['unassigned', { assignee: 'unassigned' }],
    ['a channel', { channel: 'email', status: 'closed' }],
  ])(
    'of %s reads few more rows than it shows, below merged, tested, spam and deleted conversations',
    async ([_name, filter], { old }) => {
      expect((await old.list(filter)).rows).toHaveLength(50);
      expect((await readingOf(() => old.list(filter))).rows).toBeLessThan(PAGE_ROWS);
    },
  );

  test('of unread conversations reads no more than the newest read ones before them', async ({ inbox }) => {
    const filter = { unread: 'yes', status: 'open' } as const;
    expect((await inbox.list(filter)).rows).toHaveLength(50);
    const { scanned, rows } = await readingOf(() => inbox.list(filter));
    expect(scanned).not.toContain('conversations');
    // 51 unread and 100 read conversations, in the newest 151.
    expect(rows).toBeLessThan(1_500);
  });

  test('after an SLA clock or a waiting contact is found in bounded steps', async ({ inbox }) => {
    for (const order of ['waiting', 'due'] as const) await expectStep(inbox, { order, cursor: '1:' });
  });
});

describe('a filter', () => {
  test.for<[string, NonNullable<InboxFilter> & { team?: true }, number]>([
    ['overdue, which the oldest are', { sla: 'overdue' }, OLDEST],
    ['due soon, which none is', { sla: 'soon' }, 0],
    ['overdue of a team', { sla: 'overdue', team: true }, OLDEST / 2],
    ['overdue and urgent', { sla: 'overdue', priority: 'urgent' }, 1],
    ['created in the last day', { created: '1d' }, OLDEST],
    ['created in the last week and urgent', { created: '7d', priority: 'urgent' }, 1],
    ['without a message for a week', { active: 'over-7d' }, BUSY_CONVERSATIONS - 7 * 24 * 60 + 1],
  ])(
    '%s: the first page and the counts are complete, and read few rows',
    async ([_name, { team: isOfTeam, ...input }, found], { inbox, team }) => {
      const filter = { ...input, ...(isOfTeam ? { teamId: team } : {}) };
      const page = await inbox.list({ ...filter, status: 'open' });
      expect(page.rows).toHaveLength(Math.min(found, 50));
      expect(page.nextCursor === null).toBe(found <= 50);
      const { open } = await inbox.counts(filter);
      expect(open).toEqual({ count: Math.min(found, 999), more: found > 999 });
      expect((await readingOf(() => inbox.list({ ...filter, status: 'open' }))).rows).toBeLessThan(2_500);
      expect((await readingOf(() => inbox.counts(filter))).rows).toBeLessThan(2_500);
    },
  );

  test('overdue conversations, due first, are one range of the index', async ({ inbox }) => {
    const { rows, nextCursor } = await inbox.list({ sla: 'overdue', order: 'due' });
    expect(rows).toHaveLength(OLDEST);
    expect(nextCursor).toBeNull();
    const reading = await readingOf(() => inbox.list({ sla: 'overdue', order: 'due' }));
    expect(reading.rows).toBeLessThan(PAGE_ROWS);
  });

  test('conversations that are not verified are read from their index', async ({ inbox }) => {
    for (const filter of [{ verified: 'no' }, { verified: 'no', assignee: 'unassigned' }] as const) {
      expect((await readingOf(() => inbox.list({ ...filter, status: 'open' }))).rows).toBeLessThan(10);
      expect((await readingOf(() => inbox.counts(filter))).rows).toBeLessThan(10);
    }
  });

  test('a priority is found in bounded steps, of which the first is short', async ({ inbox }) => {
    const filter = { status: 'open', priority: 'urgent' } as const;
    const steps: { found: number; isShort: boolean }[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const input = cursor === undefined ? filter : { ...filter, cursor };
      const { rows: read } = await readingOf(() => inbox.list(input));
      expect(read).toBeLessThan(22_000);
      const { rows, nextCursor } = await inbox.list(input);
      steps.push({ found: rows.length, isShort: read < 2_500 });
      cursor = nextCursor;
    }
    expect(steps).toEqual([
      { found: 0, isShort: true },
      { found: 0, isShort: false },
      { found: 1, isShort: false },
    ]);
    // A list that is loaded again up to its position is read in long steps.
    expect((await readingOf(() => inbox.list({ ...filter, rows: 300 }))).rows).toBeGreaterThan(10_000);
  });

  test.for<[string, NonNullable<InboxFilter>]>([
    ['a priority', { priority: 'urgent' }],
    ['created long ago', { created: 'over-30d' }],
  ])('%s is counted in bounded steps', async ([_name, filter], { inbox }) => {
    expect((await readingOf(() => inbox.counts(filter))).rows).toBeLessThan(8_000);
  });
});

describe('a tag or word of thousands of older conversations and of none of the newest', () => {
  test.for<[string, NonNullable<InboxFilter>, number]>([
    ['a tag', { tag: 'Recall' }, 999],
    ['a word, with a shorter scan', { search: 'recalled' }, 0],
  ])(
    '%s is found beyond the newest, and counted as far as the scan',
    async ([_name, filter, counted], { inbox }) => {
      const { rows, nextCursor } = await inbox.list(filter);
      expect(rows.map(({ subject }) => subject)).toEqual(
        Array.from({ length: 50 }, (_, i) => `Number ${NEWEST + 1 + i} recalled`),
      );
      expect(nextCursor).not.toBeNull();
      expect((await inbox.counts(filter)).open).toEqual({ count: counted, more: true });
    },
  );

  test('a page after the last match is the end', async ({ inbox, busy: { workspaceId } }) => {
    const last = await db().conversation.findFirstOrThrow({
      where: { workspaceId },
      orderBy: { lastMessageAt: 'asc' },
      select: { id: true, lastMessageAt: true },
    });
    const cursor = `${last.lastMessageAt.getTime()}000-${last.id}`;
    expect(await inbox.list({ tag: 'Recall', cursor })).toEqual({ rows: [], nextCursor: null });
  });

  test('the command menu finds tags without reading the conversations that have them', async ({
    busy,
    years,
  }) => {
    for (const [{ screens }, query] of [
      [busy, 're'],
      [years, 'ta'],
    ] as const) {
      const { inbox } = await screens();
      expect((await readingOf(() => inbox.findByName({ query }))).rows).toBeLessThan(PAGE_ROWS);
    }
  });
});

test.for([
  ['few messages', 'yuki'],
  ['many messages', 'haruto'],
  ['many messages, in another form,', 'harutos '],
])(
  'a word in one of 60 conversations and in %s is found by scanning on',
  async ([_name, search], { words }) => {
    const { inbox } = await words.screens();
    const first = await inbox.list({ search });
    expect(numbersOf(first)).toEqual(every(0, 50));
    const cursor = first.nextCursor ?? '';
    const rest = await inbox.list({ search, cursor });
    expect(numbersOf(rest)).toEqual(every(50, MATCHES));
    expect(rest.nextCursor).toBeNull();
    const readings = [
      await readingOf(() => inbox.list({ search })),
      await readingOf(() => inbox.list({ search, cursor })),
    ];
    // The index of words would return too many conversations, and take one more statement.
    expect(readings.reduce((sum, { statements }) => sum + statements, 0)).toBeLessThanOrEqual(5);
    expect(readings.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(65_000);
  },
);

// The last test, because it rewrites most conversations.
test('by priority, few rows are read of many prioritized conversations, and those after them are found in bounded steps', async ({
  inbox,
  team,
  busy: { workspaceId },
}) => {
  // Without a statement timeout: the update takes 8 s on idle cores, and the timeout of requests is 20 s.
  await inBulk(async (bulk) => {
    await bulk.$executeRaw`
      update conversations set priority = 'high' where workspace_id = ${workspaceId}::uuid
        and split_part(subject, ' ', 2)::int <= 30000`;
    // Autovacuum does the same after such a change. With the old statistics, the plan would depend on their sample.
    await bulk.$executeRaw`vacuum analyze conversations`;
  });
  for (const filter of [{}, { teamId: team }, { assignee: 'me' }, { assignee: 'unassigned' }] as const) {
    const { rows } = await readingOf(() => inbox.list({ ...filter, status: 'open', order: 'priority' }));
    expect({ filter, isFew: rows < PAGE_ROWS, rows }).toMatchObject({ isFew: true });
  }
  await expectStep(inbox, { order: 'priority', cursor: '2:' });
});

/** Expects a bounded step at the start of a section, of which the newest 20,000 belong to the one before, and a full page after it. */
async function expectStep(
  { list }: Awaited<ReturnType<InboxReader['screens']>>['inbox'],
  start: { order: 'waiting' | 'due' | 'priority'; cursor: string },
): Promise<void> {
  const filter = { ...start, status: 'open' } as const;
  const step = await list(filter);
  expect(step.rows).toEqual([]);
  expect((await readingOf(() => list(filter))).rows).toBeLessThan(22_000);
  const rest = await list({ ...filter, cursor: step.nextCursor ?? '' });
  expect(rest.rows).toHaveLength(50);
}

const numbersOf = ({ rows }: InboxPage) => rows.map(({ subject }) => Number(/\d+/.exec(subject ?? '')));

/** Returns the numbers of matches by their position in the list. */
function every(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => (from + i + 1) * EVERY);
}
