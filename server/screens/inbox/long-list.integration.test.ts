import { beforeAll, describe, expect, test } from 'vitest';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';
import { screensFor } from '#server/screens/router.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
const START = Date.parse('2026-11-21T12:00:00.000Z');

let headers: Headers;
let workspaceId: string;
let reader: Teammate;

type Filter = Parameters<Awaited<ReturnType<typeof screensFor>>['inbox']['list']>[0];

const list = async (filter: Filter = {}) => (await screensFor(headers)).inbox.list(filter);
const counts = async (filter: Omit<Filter, 'status'> = {}) =>
  (await screensFor(headers)).inbox.counts(filter);

describe('in a large inbox', () => {
  const MANY = 3_000;

  beforeAll(async () => {
    ({ headers, workspaceId, reader } = await makeInboxReader(service.url));
    await db().member.updateMany({ where: { workspaceId, userId: reader.id }, data: { role: 'agent' } });
    const client = await pool().connect();
    try {
      await fillConversations(client, { workspaceId, count: MANY });
      await client.query('vacuum analyze conversations, messages, conversation_tags, contacts');
    } finally {
      client.release();
    }
  });

  /** Counts the rows that a call reads, after the session is known. */
  async function touched(call: (screens: Awaited<ReturnType<typeof screensFor>>) => Promise<unknown>) {
    const screens = await screensFor(headers);
    const readings = await Promise.all((await statementsOf(() => call(screens))).map(readPlan));
    return readings.reduce((sum, { rows }) => sum + rows, 0);
  }

  test('generated conversations are complete: about three messages each, valid ids, and no events', async () => {
    const where = { workspaceId };
    expect(await db().conversation.count({ where })).toBe(MANY);
    const messages = await db().message.count({ where });
    expect(messages / MANY).toBeGreaterThan(2.5);
    expect(messages / MANY).toBeLessThan(3.5);
    expect(await db().event.count({ where })).toBe(0);
    expect(await db().notification.count({ where })).toBe(0);
    const [row] = (await list()).rows;
    const opened = await (await screensFor(headers)).conversations.get({ id: row?.id ?? '' });
    expect(opened?.conversation).toMatchObject({ id: row?.id, contact: { name: row?.contactName } });
  });

  test('the pages of a filter contain all of its conversations, and the counts agree', async () => {
    const tag = (await (await screensFor(headers)).inbox.filterChoices()).tags[0] ?? '';
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

  test.each<[string, Filter]>([
    ['a status', { status: 'open' }],
    ['all statuses', {}],
    ['assigned to me', { assignee: 'me', status: 'closed' }],
    ['unassigned', { assignee: 'unassigned' }],
    ['a channel', { channel: 'email', status: 'closed' }],
  ])('a page of %s reads few more rows than it shows', async (_name, filter) => {
    // 51 conversations, each with its newest message, contact, assignee, tags and SLA clocks.
    expect(await touched((screens) => screens.inbox.list(filter))).toBeLessThan(700);
  });
});

describe('a tag or word of thousands of older conversations and of none of the newest', () => {
  const ALL = 7_500;
  const OLD = 6_000;

  beforeAll(async () => {
    ({ headers, workspaceId } = await makeInboxReader(service.url));
    // Number 1 is the newest; the tag and the word start at number 1,501.
    await db().$executeRaw`
      with made as (
        insert into conversations (id, workspace_id, channel, subject, last_message_at, updated_at)
        select gen_random_uuid(), ${workspaceId}::uuid, 'email',
          'Number ' || n || case when n > ${ALL - OLD}::int then ' recalled' else '' end,
          ${new Date(START)}::timestamptz - n * interval '1 minute', now()
        from generate_series(1, ${ALL}::int) n
        returning id, workspace_id, subject
      )
      insert into conversation_tags (conversation_id, workspace_id, key, name)
      select id, workspace_id, 'recall', 'Recall' from made where subject like '%recalled'`;
  });

  test.each<[string, Filter, number]>([
    ['a tag', { tag: 'Recall' }, 999],
    ['a word, with a shorter scan', { search: 'recalled' }, 0],
  ])('%s is found beyond the newest, and counted as far as the scan', async (_name, filter, counted) => {
    const { rows, nextCursor } = await list(filter);
    expect(rows.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 50 }, (_, i) => `Number ${ALL - OLD + 1 + i} recalled`),
    );
    expect(nextCursor).not.toBeNull();
    expect((await counts(filter)).open).toEqual({ count: counted, more: true });
  });

  test('a page after the last match is the end', async () => {
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
