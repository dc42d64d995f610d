import { describe, expect } from 'vitest';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { type InboxFilter, type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest
  .extend('large', { scope: 'file' }, ({ service }) => fillLarge(service.url))
  .extend('recalled', { scope: 'file' }, ({ service }) => fillRecalled(service.url));

describe('in a large inbox', () => {
  test('generated conversations are complete: about three messages each, valid ids, and no events', async ({
    large: { workspaceId, list, screens },
  }) => {
    const where = { workspaceId };
    expect(await db().conversation.count({ where })).toBe(MANY);
    const messages = await db().message.count({ where });
    expect(messages / MANY).toBeGreaterThan(2.5);
    expect(messages / MANY).toBeLessThan(3.5);
    expect(await db().event.count({ where })).toBe(0);
    expect(await db().notification.count({ where })).toBe(0);
    const [row] = (await list()).rows;
    const opened = await (await screens()).conversations.get({ id: row?.id ?? '' });
    expect(opened?.conversation).toMatchObject({ id: row?.id, contact: { name: row?.contactName } });
  });

  test('the pages of a filter contain all of its conversations, and the counts agree', async ({
    large: { screens, list, counts },
  }) => {
    const tag = (await (await screens()).inbox.filterChoices()).tags[0] ?? '';
    for (const filter of [{ tag }, { search: 'refund' }, { channel: 'webchat' as const, assignee: 'me' }]) {
      let seen = 0;
      let cursor: string | null = null;
      do {
        const page: InboxPage = await list({ ...filter, rows: 300, ...(cursor ? { cursor } : {}) });
        seen += page.rows.length;
        cursor = page.nextCursor;
      } while (cursor);
      const counted = Object.values(await counts(filter));
      const sum = counted.reduce((before, { count }) => before + count, 0);
      if (counted.some(({ more }) => more)) expect(seen).toBeGreaterThanOrEqual(sum);
      else expect(seen).toBe(sum);
      expect(seen).toBeGreaterThan(0);
    }
  });

  test.for<[string, InboxFilter]>([
    ['a status', { status: 'open' }],
    ['all statuses', {}],
    ['assigned to me', { assignee: 'me', status: 'closed' }],
    ['unassigned', { assignee: 'unassigned' }],
    ['a channel', { channel: 'email', status: 'closed' }],
  ])('a page of %s reads few more rows than it shows', async ([_name, filter], { large: { screens } }) => {
    // 51 conversations, each with its newest message, contact, assignee, tags and SLA clocks.
    expect(await touched(screens, (of) => of.inbox.list(filter))).toBeLessThan(700);
  });

  test('the command menu finds tags without reading the conversations that have them', async ({
    large: { screens },
  }) => {
    expect(await touched(screens, (of) => of.inbox.findByName({ query: 're' }))).toBeLessThan(700);
  });
});

describe('a tag or word of thousands of older conversations and of none of the newest', () => {
  test.for<[string, InboxFilter, number]>([
    ['a tag', { tag: 'Recall' }, 999],
    ['a word, with a shorter scan', { search: 'recalled' }, 0],
  ])(
    '%s is found beyond the newest, and counted as far as the scan',
    async ([_name, filter, counted], { recalled: { list, counts } }) => {
      const { rows, nextCursor } = await list(filter);
      expect(rows.map(({ subject }) => subject)).toEqual(
        Array.from({ length: 50 }, (_, i) => `Number ${ALL - OLD + 1 + i} recalled`),
      );
      expect(nextCursor).not.toBeNull();
      expect((await counts(filter)).open).toEqual({ count: counted, more: true });
    },
  );

  test('a page after the last match is the end', async ({ recalled: { workspaceId, list } }) => {
    const [last] = await db().conversation.findMany({
      where: { workspaceId },
      orderBy: [{ lastMessageAt: 'asc' }],
      select: { id: true, lastMessageAt: true },
      take: 1,
    });
    if (!last) throw new Error('There is no conversation.');
    const cursor = `${last.lastMessageAt.getTime()}000-${last.id}`;
    expect(await list({ tag: 'Recall', cursor })).toEqual({ rows: [], nextCursor: null });
  });
});

const MANY = 3_000;
const ALL = 7_500;
const OLD = 6_000;

/** Creates a workspace with `MANY` conversations, read by an agent. */
async function fillLarge(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  const { workspaceId, reader } = inbox;
  await db().member.updateMany({ where: { workspaceId, userId: reader.id }, data: { role: 'agent' } });
  const client = await pool().connect();
  try {
    await fillConversations(client, { workspaceId, count: MANY });
    await client.query('vacuum analyze conversations, messages, conversation_tags, contacts');
  } finally {
    client.release();
  }
  return inbox;
}

/** Creates a workspace with `ALL` conversations. Number 1 is the newest; the oldest `OLD` have the tag and the word. */
async function fillRecalled(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  await db().$executeRaw`
    with made as (
      insert into conversations (id, workspace_id, channel, subject, last_message_at, updated_at)
      select gen_random_uuid(), ${inbox.workspaceId}::uuid, 'email',
        'Number ' || n || case when n > ${ALL - OLD}::int then ' recalled' else '' end,
        ${new Date(START)}::timestamptz - n * interval '1 minute', now()
      from generate_series(1, ${ALL}::int) n
      returning id, workspace_id, subject
    )
    insert into conversation_tags (conversation_id, workspace_id, key, name)
    select id, workspace_id, 'recall', 'Recall' from made where subject like '%recalled'`;
  return inbox;
}

/** Counts the rows that a call reads, after the session is known. */
async function touched(
  loadScreens: InboxReader['screens'],
  call: (screens: Awaited<ReturnType<InboxReader['screens']>>) => Promise<unknown>,
): Promise<number> {
  const screens = await loadScreens();
  const readings = await Promise.all((await statementsOf(() => call(screens))).map(readPlan));
  return readings.reduce((sum, { rows }) => sum + rows, 0);
}

const START = Date.parse('2026-11-21T12:00:00.000Z');
