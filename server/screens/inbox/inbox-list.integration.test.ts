import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { type InboxFilter, type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { addListed, START } from '#test/fixtures/listed-conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest
  .extend('filtered', { scope: 'file' }, ({ service }) => fillForFilters(service.url))
  .extend('searched', { scope: 'file' }, ({ service }) => fillForSearch(service.url))
  .extend('paged', { scope: 'file' }, ({ service }) => fillForPages(service.url));

describe('filters', () => {
  test.for<[string, (inbox: InboxReader) => InboxFilter, string[]]>([
    [
      'none: all, newest first, without merged ones, tests, or another workspace',
      () => ({}),
      ['pending', 'closed', 'solved', 'of no one', 'theirs', 'mine'],
    ],
    ['a status', () => ({ status: 'open' }), ['of no one', 'theirs', 'mine']],
    ['assigned to me', () => ({ assignee: 'me' }), ['solved', 'mine']],
    ['assigned to me, open', () => ({ assignee: 'me', status: 'open' }), ['mine']],
    ['unassigned', () => ({ assignee: 'unassigned' }), ['pending', 'closed', 'of no one']],
    ['assigned to a teammate', ({ other }) => ({ assignee: other.id }), ['theirs']],
    ['a team', ({ teamId }) => ({ teamId }), ['of no one', 'theirs']],
    ['a team, unassigned', ({ teamId }) => ({ teamId, assignee: 'unassigned' }), ['of no one']],
    ['a channel', () => ({ channel: 'slack' }), ['closed', 'mine']],
    ['a channel and me', () => ({ channel: 'slack', assignee: 'me' }), ['mine']],
    ['a tag, ignoring case', () => ({ tag: 'viP' }), ['solved', 'theirs']],
    ['a tag and a status', () => ({ tag: 'VIP', status: 'solved' }), ['solved']],
    ['an unused tag', () => ({ tag: 'none' }), []],
    ['a search with a filter', ({ teamId }) => ({ search: 'theirs', teamId, tag: 'refund' }), ['theirs']],
    ['a search that another filter excludes', () => ({ search: 'theirs', assignee: 'me' }), []],
  ])('by %s', async ([_name, filter, found], { filtered }) => {
    expect(await subjects(filtered, filter(filtered))).toEqual(found);
  });

  test('rows show tags, assignee and the running SLA target', async ({ filtered: { list, workspaceId } }) => {
    const [row] = (await list({ tag: 'refund' })).rows;
    expect(row).toMatchObject({
      tags: ['VIP', 'Refund'],
      assigneeName: 'Otto Other',
      preview: 'Hello',
      priority: 'normal',
      dueAt: null,
    });
    if (!row) throw new Error('Row not found.');
    await db().message.create({
      data: {
        workspaceId,
        conversationId: row.id,
        direction: 'outbound',
        authorKind: 'automatic',
        content: 'How did we do?',
        createdAt: new Date(Date.now() + 60_000),
      },
    });
    await db().conversation.update({ where: { id: row.id }, data: { priority: 'urgent' } });
    // A rating request does not hide the contact's last words.
    expect((await list({ tag: 'refund' })).rows[0]).toMatchObject({ preview: 'Hello', priority: 'urgent' });
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

  test('every status is counted, whatever the filter’s status', async ({ filtered: { counts, teamId } }) => {
    const counted = async (filter = {}) =>
      Object.values(await counts(filter)).map(({ count, more }) => (more ? `${count}+` : count));
    expect(await counted()).toEqual([3, 1, 1, 1]);
    expect(await counted({ assignee: 'me' })).toEqual([1, 0, 1, 0]);
    expect(await counted({ teamId, assignee: 'unassigned' })).toEqual([1, 0, 0, 0]);
    expect(await counted({ tag: 'VIP' })).toEqual([1, 0, 1, 0]);
    expect(await counted({ search: 'hello' })).toEqual([3, 1, 1, 1]);
    expect(await counted({ search: '!' })).toEqual([0, 0, 0, 0]);
  });

  test('the sidebar views count open conversations', async ({ filtered }) => {
    expect(await (await filtered.screens()).inbox.viewCounts()).toEqual({
      mine: { count: 1, more: false },
      unassigned: { count: 1, more: false },
      unread: { count: 0, more: false },
      all: { count: 3, more: false },
      failed: { count: 0, more: false },
      scheduled: { count: 0, more: false },
      snoozed: { count: 0, more: false },
      teams: [{ id: filtered.teamId, name: 'Billing', open: { count: 2, more: false } }],
      saved: [],
    });
  });

  test('the choices are teams, teammates, and used tags, most used first', async ({
    filtered: { screens, teamId, other, reader },
  }) => {
    expect(await (await screens()).inbox.filterChoices()).toEqual({
      teams: [{ id: teamId, name: 'Billing' }],
      teammates: [
        { id: other.id, name: 'Otto Other' },
        { id: reader.id, name: 'Rita Reader' },
      ],
      tags: ['VIP', 'Later', 'Refund'],
    });
  });

  test('another workspace’s team, teammate or tag finds nothing', async ({ filtered }) => {
    const { workspaceId } = filtered;
    const stranger = await makeUser('Sid Stranger');
    expect(await subjects(filtered, { assignee: stranger.id })).toEqual([]);
    expect(await subjects(filtered, { teamId: workspaceId })).toEqual([]);
  });
});

describe('searching', () => {
  test.for<[string, string, string[]]>([
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
  ])('%s', async ([_name, search, found], { searched }) => {
    const { counts } = searched;
    expect(await subjects(searched, { search })).toEqual(found);
    const total = Object.values(await counts({ search })).reduce((sum, { count }) => sum + count, 0);
    expect(total).toBe(found.length);
  });
});

describe('pages', () => {
  test.for<[string, InboxFilter, number]>([
    ['of all statuses', {}, 60],
    ['of one status', { status: 'open' }, 30],
    ['of a tag', { tag: 'common' }, 60],
    ['of a search', { search: 'hello' }, 60],
  ])('%s contain every conversation once, newest first', async ([_name, filter, all], { paged }) => {
    const { workspaceId } = paged;
    const seen = await pages(paged, filter);
    expect(new Set(seen).size).toBe(all);
    const rows = await db().conversation.findMany({
      where: { workspaceId, ...(filter.status ? { status: filter.status } : {}) },
      select: { id: true },
      orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    });
    expect(seen).toEqual(rows.map(({ id }) => id));
  });

  test('no row is missed or repeated when conversations move to the top in between', async ({ paged }) => {
    const { workspaceId, list } = paged;
    const before = await db().conversation.findMany({ where: { workspaceId }, select: { id: true } });
    let moved: string[] = [];
    const seen = await pages(paged, {}, async (page) => {
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

  test('an invalid cursor starts at the newest conversation', async ({ paged: { list } }) => {
    expect((await list({ cursor: 'no cursor' })).rows).toHaveLength(50);
  });

  test('cursors have microsecond precision, so pages neither skip nor repeat rows', async ({ paged }) => {
    const { workspaceId } = paged;
    await db().$executeRaw`with numbered as (
        select id, row_number() over (order by id) as n from conversations where workspace_id = ${workspaceId}::uuid)
      update conversations c set last_message_at = '2030-01-01'::timestamptz + n * interval '1 microsecond'
      from numbered where numbered.id = c.id`;
    expect(new Set(await pages(paged, {})).size).toBe(60);
  });

  test('counts stop at 999 and report more', async ({ paged: { workspaceId, counts, screens } }) => {
    await db().$executeRaw`insert into conversations (id, workspace_id, channel, status, updated_at)
      select gen_random_uuid(), ${workspaceId}::uuid, 'email', 'open', now() from generate_series(1, 1000)`;
    const { open, pending } = await counts();
    expect(open).toEqual({ count: 999, more: true });
    expect(pending).toEqual({ count: 30, more: false });
    const views = await (await screens()).inbox.viewCounts();
    expect(views.unassigned).toEqual({ count: 999, more: true });
  });
});

async function subjects({ list }: InboxReader, filter: InboxFilter = {}): Promise<(string | null)[]> {
  return (await list(filter)).rows.map(({ subject }) => subject);
}

/** Creates a workspace with conversations for the tests of filters. */
async function fillForFilters(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  const { workspaceId, reader, other, teamId } = inbox;
  await addListed({ workspaceId, subject: 'mine', assigneeId: reader.id, channel: 'slack' });
  await addListed({ workspaceId, subject: 'theirs', assigneeId: other.id, teamId, tags: ['VIP', 'Refund'] });
  await addListed({ workspaceId, subject: 'of no one', teamId, tags: ['Later'] });
  await addListed({ workspaceId, subject: 'solved', status: 'solved', assigneeId: reader.id, tags: ['vip'] });
  await addListed({ workspaceId, subject: 'closed', status: 'closed', channel: 'slack' });
  const into = await addListed({ workspaceId, subject: 'pending', status: 'pending', channel: 'telegram' });
  await addListed({ workspaceId, subject: 'merged', mergedIntoId: into, tags: ['VIP'] });
  await addListed({ workspaceId, subject: 'a test', isTest: true, tags: ['VIP'] });
  await addListed({ workspaceId: (await makeWorkspace()).id, subject: 'elsewhere', tags: ['VIP'] });
  return inbox;
}

/** Creates a workspace with conversations for the tests of the search. */
async function fillForSearch(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  const { workspaceId } = inbox;
  const elsewhere = (await makeWorkspace()).id;
  const contact = async (data: Prisma.ContactUncheckedCreateInput) =>
    (await db().contact.create({ data })).id;
  const email = 'anna.g@mail.example.com';
  const anna = await contact({ workspaceId, firstName: 'Anna', lastName: 'Größe-Weiß', email });
  const phone = { phone: '+49 (30) 123-456', phoneDigits: '4930123456' };
  const ben = await contact({ workspaceId, firstName: 'Ben', ...phone });
  const order = 'Where is order AB-1234? It costs 12.50.';
  await addListed({ workspaceId, subject: 'Late parcel', contactId: anna, text: order });
  await addListed({ workspaceId, subject: 'Invoice wrong', contactId: ben, text: 'The totals don’t add up' });
  const long = `${'x '.repeat(5_000)}unreachable`;
  const into = await addListed({ workspaceId, subject: 'Parcel broken', text: long });
  await addListed({ workspaceId, subject: 'Parcel merged', mergedIntoId: into });
  await addListed({ workspaceId, subject: 'Parcel of a test', isTest: true });
  const twin = await contact({ workspaceId: elsewhere, firstName: 'Anna', email });
  await addListed({
    workspaceId: elsewhere,
    subject: 'Parcel elsewhere',
    contactId: twin,
    text: 'order AB-1234',
  });
  return inbox;
}

/** Creates a workspace with sixty conversations. Six share each timestamp, so that the id decides their order. */
async function fillForPages(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  for (let i = 0; i < 60; i += 1) {
    await addListed({
      workspaceId: inbox.workspaceId,
      subject: `c${i}`,
      lastMessageAt: new Date(START - Math.floor(i / 6) * 60_000),
      status: i % 2 === 0 ? 'open' : 'pending',
      tags: ['Common'],
    });
  }
  return inbox;
}

/** Reads a list page by page and returns all ids; `between` runs after each page. */
async function pages(
  { list }: InboxReader,
  filter: InboxFilter,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
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
