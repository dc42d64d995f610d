import { beforeAll, describe, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { screensFor } from '#server/screens/router.ts';
import { makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
const START = Date.parse('2026-11-21T12:00:00.000Z');

let headers: Headers;
let workspaceId: string;
let reader: Teammate;
let other: Teammate;
let teamId: string;
let minute = 0;

type Filter = Parameters<Awaited<ReturnType<typeof screensFor>>['inbox']['list']>[0];

const list = async (filter: Filter = {}) => (await screensFor(headers)).inbox.list(filter);
const subjects = async (filter: Filter = {}) => (await list(filter)).rows.map(({ subject }) => subject);
const counts = async (filter: Omit<Filter, 'status'> = {}) =>
  (await screensFor(headers)).inbox.counts(filter);

/** Creates a conversation with one message, newer than the previous one, in the reader's workspace by default. */
async function add(
  subject: string,
  {
    text = 'Hello',
    tags = [],
    ...columns
  }: Partial<Prisma.ConversationUncheckedCreateInput> & { text?: string; tags?: string[] } = {},
): Promise<string> {
  minute += 1;
  const at = new Date(START + minute * 60_000);
  const workspace = columns.workspaceId ?? workspaceId;
  const { id } = await db().conversation.create({
    data: {
      workspaceId: workspace,
      channel: 'email',
      subject,
      lastMessageAt: at,
      ...(columns.assigneeId ? { assignedAt: at } : {}),
      ...(columns.status === 'solved' ? { resolvedAt: at } : {}),
      ...columns,
    },
    select: { id: true },
  });
  await db().message.create({
    data: {
      workspaceId: workspace,
      conversationId: id,
      direction: 'inbound',
      authorKind: 'contact',
      content: text,
      createdAt: at,
    },
  });
  for (const [position, name] of tags.entries()) {
    await db().conversationTag.create({
      data: { workspaceId: workspace, conversationId: id, key: name.toLowerCase(), name, position },
    });
  }
  return id;
}

/** Opens a new workspace for a group of tests, with the reader signed in. */
async function openNew(): Promise<void> {
  ({ headers, workspaceId, reader, other, teamId } = await makeInboxReader(service.url));
}

describe('filters', () => {
  beforeAll(async () => {
    await openNew();
    await add('mine', { assigneeId: reader.id, channel: 'slack' });
    await add('theirs', { assigneeId: other.id, teamId, tags: ['VIP', 'Refund'] });
    await add('of no one', { teamId, tags: ['Later'] });
    await add('solved', { status: 'solved', assigneeId: reader.id, tags: ['vip'] });
    await add('closed', { status: 'closed', channel: 'slack' });
    const into = await add('pending', { status: 'pending', channel: 'telegram' });
    await add('merged', { mergedIntoId: into, tags: ['VIP'] });
    await add('a test', { isTest: true, tags: ['VIP'] });
    const elsewhere = (await makeWorkspace()).id;
    await add('elsewhere', { workspaceId: elsewhere, tags: ['VIP'] });
  });

  test.each<[string, () => Filter, string[]]>([
    [
      'none: all, newest first, without merged ones, tests, or another workspace',
      () => ({}),
      ['pending', 'closed', 'solved', 'of no one', 'theirs', 'mine'],
    ],
    ['a status', () => ({ status: 'open' }), ['of no one', 'theirs', 'mine']],
    ['assigned to me', () => ({ assignee: 'me' }), ['solved', 'mine']],
    ['assigned to me, open', () => ({ assignee: 'me', status: 'open' }), ['mine']],
    ['unassigned', () => ({ assignee: 'unassigned' }), ['pending', 'closed', 'of no one']],
    ['assigned to a teammate', () => ({ assignee: other.id }), ['theirs']],
    ['a team', () => ({ teamId }), ['of no one', 'theirs']],
    ['a team, unassigned', () => ({ teamId, assignee: 'unassigned' }), ['of no one']],
    ['a channel', () => ({ channel: 'slack' }), ['closed', 'mine']],
    ['a channel and me', () => ({ channel: 'slack', assignee: 'me' }), ['mine']],
    ['a tag, ignoring case', () => ({ tag: 'viP' }), ['solved', 'theirs']],
    ['a tag and a status', () => ({ tag: 'VIP', status: 'solved' }), ['solved']],
    ['an unused tag', () => ({ tag: 'none' }), []],
    ['a search with a filter', () => ({ search: 'theirs', teamId, tag: 'refund' }), ['theirs']],
    ['a search without a match in another filter', () => ({ search: 'theirs', assignee: 'me' }), []],
  ])('by %s', async (_name, filter, found) => {
    expect(await subjects(filter())).toEqual(found);
  });

  test('rows show tags, assignee and the running SLA target', async () => {
    const [row] = (await list({ tag: 'refund' })).rows;
    expect(row).toMatchObject({
      tags: ['VIP', 'Refund'],
      assigneeName: 'Otto Other',
      preview: 'Hello',
      dueAt: null,
    });
    if (!row) throw new Error('There is no row.');
    const clock = { workspaceId, conversationId: row.id, startedAt: new Date(START) };
    const dueAt = new Date(START + 5_000);
    await db().slaClock.createMany({
      data: [
        { ...clock, kind: 'first_response', dueAt: new Date(START), stoppedAt: new Date(START) },
        { ...clock, kind: 'resolution', dueAt },
      ],
    });
    expect((await list({ tag: 'refund' })).rows[0]).toMatchObject({ dueAt });
  });

  test('every status is counted, whatever the filter’s status', async () => {
    const counted = async (filter = {}) =>
      Object.values(await counts(filter)).map(({ count, more }) => (more ? `${count}+` : count));
    expect(await counted()).toEqual([3, 1, 1, 1]);
    expect(await counted({ assignee: 'me' })).toEqual([1, 0, 1, 0]);
    expect(await counted({ teamId, assignee: 'unassigned' })).toEqual([1, 0, 0, 0]);
    expect(await counted({ tag: 'VIP' })).toEqual([1, 0, 1, 0]);
    expect(await counted({ search: 'hello' })).toEqual([3, 1, 1, 1]);
    expect(await counted({ search: '!' })).toEqual([0, 0, 0, 0]);
  });

  test('the sidebar views count open conversations', async () => {
    expect(await (await screensFor(headers)).inbox.viewCounts()).toEqual({
      mine: { count: 1, more: false },
      unassigned: { count: 1, more: false },
      all: { count: 3, more: false },
      failed: { count: 0, more: false },
    });
  });

  test('the choices are teams, teammates, and used tags, most used first', async () => {
    expect(await (await screensFor(headers)).inbox.filterChoices()).toEqual({
      teams: [{ id: teamId, name: 'Billing' }],
      teammates: [
        { id: other.id, name: 'Otto Other' },
        { id: reader.id, name: 'Rita Reader' },
      ],
      tags: ['VIP', 'Later', 'Refund'],
    });
  });

  test('another workspace’s team, teammate or tag finds nothing', async () => {
    const stranger = await makeUser('Sid Stranger');
    expect(await subjects({ assignee: stranger.id })).toEqual([]);
    expect(await subjects({ teamId: workspaceId })).toEqual([]);
  });
});

describe('searching', () => {
  beforeAll(async () => {
    await openNew();
    const contact = async (
      data: Omit<Prisma.ContactUncheckedCreateInput, 'workspaceId'>,
      workspace = workspaceId,
    ) => (await db().contact.create({ data: { ...data, workspaceId: workspace } })).id;
    const anna = await contact({
      firstName: 'Anna',
      lastName: 'Größe-Weiß',
      email: 'anna.g@mail.example.com',
    });
    const ben = await contact({ firstName: 'Ben', phone: '+49 (30) 123-456', phoneDigits: '4930123456' });
    await add('Late parcel', { contactId: anna, text: 'Where is order AB-1234? It costs 12.50.' });
    await add('Invoice wrong', { contactId: ben, text: 'The totals don’t add up' });
    const into = await add('Parcel broken', { text: `${'x '.repeat(5_000)}unreachable` });
    await add('Parcel merged', { mergedIntoId: into });
    await add('Parcel of a test', { isTest: true });
    const elsewhere = (await makeWorkspace()).id;
    const twin = await contact({ firstName: 'Anna', email: 'anna.g@mail.example.com' }, elsewhere);
    await add('Parcel elsewhere', { workspaceId: elsewhere, contactId: twin, text: 'order AB-1234' });
  });

  test.each([
    [
      'a word of the subject, newest first, without merged ones, tests, or another workspace',
      'parcel',
      ['Parcel broken', 'Late parcel'],
    ],
    ['the prefix of a word', 'parc', ['Parcel broken', 'Late parcel']],
    ['a complete word is not a prefix', 'parc ', []],
    ['all words in one field', 'late PARCEL', ['Late parcel']],
    ['words in different fields', 'invoice totals', []],
    ['a name', 'anna größ', ['Late parcel']],
    ['part of a double name', 'weiß', ['Late parcel']],
    ['a complete email address', 'anna.g@mail.example.com', ['Late parcel']],
    ['an email address while it is typed', 'anna.g@ma', ['Late parcel']],
    ['the domain of an address', 'example.com', ['Late parcel']],
    ['a phone number as written', '+49 (30) 123-456', ['Invoice wrong']],
    ['a phone number in another format', '+4930 123 456', ['Invoice wrong']],
    ['the first digits of a phone number', '493012', ['Invoice wrong']],
    ['a word of a message', 'costs', ['Late parcel']],
    ['the number of an order', 'ab-1234', ['Late parcel']],
    ['an amount', '12.50', ['Late parcel']],
    ['a word with an apostrophe', 'don’t', ['Invoice wrong']],
    ['text beyond the searched part of a message', 'unreachable', []],
    ['query operators as plain text', "' | !parcel:* <-> \\", ['Parcel broken', 'Late parcel']],
    ['no word', '@!', []],
    ['an unknown word', 'zebra', []],
  ])('%s', async (_name, search, found) => {
    expect(await subjects({ search })).toEqual(found);
    const total = Object.values(await counts({ search })).reduce((sum, { count }) => sum + count, 0);
    expect(total).toBe(found.length);
  });
});

describe('pages', () => {
  beforeAll(async () => {
    await openNew();
    // Six conversations share each timestamp, so that the id decides their order.
    for (let i = 0; i < 60; i += 1) {
      await add(`c${i}`, {
        lastMessageAt: new Date(START - Math.floor(i / 6) * 60_000),
        status: i % 2 === 0 ? 'open' : 'pending',
        tags: ['Common'],
      });
    }
  });

  async function pages(filter: Filter, between: (page: number) => Promise<unknown> = async () => {}) {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    for (let page = 1; page < 30; page += 1) {
      const { rows, nextCursor } = await list({ ...filter, rows: 7, ...(cursor ? { cursor } : {}) });
      seen.push(...rows.map(({ id }) => id));
      cursor = nextCursor;
      if (!cursor) return seen;
      await between(page);
    }
    throw new Error('The list has no end.');
  }

  test.each<[string, Filter, number]>([
    ['of all statuses', {}, 60],
    ['of one status', { status: 'open' }, 30],
    ['of a tag', { tag: 'common' }, 60],
    ['of a search', { search: 'hello' }, 60],
  ])('%s contain every conversation once, newest first', async (_name, filter, all) => {
    const seen = await pages(filter);
    expect(new Set(seen).size).toBe(all);
    const rows = await db().conversation.findMany({
      where: { workspaceId, ...(filter.status ? { status: filter.status } : {}) },
      select: { id: true },
      orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    });
    expect(seen).toEqual(rows.map(({ id }) => id));
  });

  test('no row is missed or repeated when conversations move to the top in between', async () => {
    const before = await db().conversation.findMany({ where: { workspaceId }, select: { id: true } });
    let moved: string[] = [];
    const seen = await pages({}, async (page) => {
      const last = await db().conversation.findMany({
        where: { workspaceId },
        select: { id: true },
        orderBy: [{ lastMessageAt: 'asc' }, { id: 'asc' }],
        take: 1,
      });
      moved = [...moved, ...last.map(({ id }) => id)];
      const at = new Date(START + page * 1_000);
      await db().conversation.updateMany({
        where: { id: { in: moved.slice(-1) } },
        data: { lastMessageAt: at },
      });
    });
    expect(new Set(seen).size).toBe(seen.length);
    const missed = before.map(({ id }) => id).filter((id) => !seen.includes(id));
    expect(missed.every((id) => moved.includes(id))).toBe(true);
    const top = (await list({ rows: 50 })).rows.map(({ id }) => id);
    expect(missed.every((id) => top.includes(id))).toBe(true);
  });

  test('an invalid cursor starts at the newest conversation', async () => {
    expect((await list({ cursor: 'no cursor' })).rows).toHaveLength(50);
  });

  test('positions have microseconds, so that a page ends exactly there', async () => {
    await db().$executeRaw`with numbered as (
        select id, row_number() over (order by id) as n from conversations where workspace_id = ${workspaceId}::uuid)
      update conversations c set last_message_at = '2030-01-01'::timestamptz + n * interval '1 microsecond'
      from numbered where numbered.id = c.id`;
    expect(new Set(await pages({})).size).toBe(60);
  });

  test('counts stop at 999 and report more', async () => {
    await db().$executeRaw`insert into conversations (id, workspace_id, channel, status, updated_at)
      select gen_random_uuid(), ${workspaceId}::uuid, 'email', 'open', now() from generate_series(1, 1000)`;
    const { open, pending } = await counts();
    expect(open).toEqual({ count: 999, more: true });
    expect(pending).toEqual({ count: 30, more: false });
    const views = await (await screensFor(headers)).inbox.viewCounts();
    expect(views.unassigned).toEqual({ count: 999, more: true });
  });
});
