import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { removeOldReads } from '#server/inbox/conversations/unread.ts';
import type { screensFor } from '#server/screens/router.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

/** `inboxOf` returns the inbox of a teammate, `receive` creates a new message of a contact. */
const test = screensTest
  .extend(
    'inboxOf',
    ({ screensOf }) =>
      async (role: 'owner' | 'agent') =>
        inboxFor(await screensOf(role)),
  )
  .extend('receive', ({ workspaceId }) => receiverFor(workspaceId));

describe('a conversation', () => {
  test('is unread for each teammate until that teammate reads it', async ({ inboxOf, receive }) => {
    const [owner, agent] = [await inboxOf('owner'), await inboxOf('agent')];
    const id = await receive();
    expect([await owner.unread(), await agent.unread()]).toEqual([[id], [id]]);
    expect((await owner.list({})).rows[0]).toMatchObject({ id, unread: true, turn: 'team' });
    expect(await owner.markRead({ conversationId: id })).toBe(true);
    expect(await owner.markRead({ conversationId: id })).toBe(false);
    expect([await owner.unread(), await agent.unread()]).toEqual([[], [id]]);
    expect([await owner.isUnread(id), await agent.isUnread(id)]).toEqual([false, true]);
    expect(await owner.unreadCount()).toEqual({ count: 0, more: false });
    expect(await agent.unreadCount()).toEqual({ count: 1, more: false });
    expect((await agent.counts({ unread: 'yes' })).open).toEqual({ count: 1, more: false });
  });

  test('is unread again after the next message of the contact', async ({ inboxOf, receive }) => {
    const owner = await inboxOf('owner');
    const id = await receive();
    await owner.markRead({ conversationId: id });
    expect(await receive({ conversationId: id })).toBe(id);
    expect(await owner.unread()).toEqual([id]);
  });

  test('stays read after an automatic message', async ({ inboxOf, receive }) => {
    const owner = await inboxOf('owner');
    const id = await receive();
    await owner.markRead({ conversationId: id });
    await receive({ conversationId: id, automatic: true });
    expect(await owner.unread()).toEqual([]);
  });

  test('can be marked as unread by one teammate, however old it is', async ({
    inboxOf,
    conversation,
    workspaceId,
  }) => {
    const [owner, agent] = [await inboxOf('owner'), await inboxOf('agent')];
    await age(workspaceId);
    expect(await owner.unread()).toEqual([]);
    await owner.markUnread({ conversationId: conversation });
    expect([await owner.unread(), await agent.unread()]).toEqual([[conversation], []]);
    expect(await owner.unreadCount()).toEqual({ count: 1, more: false });
    await owner.markRead({ conversationId: conversation });
    expect(await owner.unread()).toEqual([]);
  });

  test('is unread after a merge for those who did not read one of both, and for nobody else', async ({
    inboxOf,
    receive,
    teammates: { workspaceId, admin: teammate },
  }) => {
    const [owner, agent] = [await inboxOf('owner'), await inboxOf('agent')];
    const merge = async (order: 'into newer' | 'into older') => {
      const [older, newer] = [await receive(), await receive()];
      const [id, intoId] = order === 'into newer' ? [older, newer] : [newer, older];
      for (const conversationId of [id, intoId]) await owner.markRead({ conversationId });
      await agent.markRead({ conversationId: intoId });
      await mergeAs({ workspaceId, teammate }, id, intoId);
      expect([await owner.unread(), await agent.unread()], order).toEqual([[], [intoId]]);
      await agent.markRead({ conversationId: intoId });
    };
    await merge('into newer');
    await merge('into older');
    expect(await agent.unread()).toEqual([]);
  });

  test('of another workspace cannot be marked', async ({ inboxOf }) => {
    const owner = await inboxOf('owner');
    for (const conversationId of [await makeConversation(await makeConnection()), 'none']) {
      await owner.markUnread({ conversationId });
      expect(await owner.markRead({ conversationId })).toBe(false);
      expect(await reads(conversationId)).toEqual([]);
    }
  });
});

describe('unread conversations', () => {
  test('combine with other filters', async ({ inboxOf, receive }) => {
    const owner = await inboxOf('owner');
    const [first, second] = [await receive({ subject: 'Parcel' }), await receive({ subject: 'Invoice' })];
    const listed = async (filter: Parameters<typeof owner.list>[0]) =>
      (await owner.list({ unread: 'yes', ...filter })).rows.map(({ id }) => id);
    expect(await listed({})).toEqual([second, first]);
    expect(await listed({ search: 'parcel' })).toEqual([first]);
    expect(await listed({ assignee: 'me' })).toEqual([]);
    expect(await listed({ status: 'open', assignee: 'unassigned' })).toEqual([second, first]);
    await owner.markRead({ conversationId: first });
    expect(await listed({ search: 'parcel' })).toEqual([]);
  });

  test('can all be marked as read by one teammate', async ({ inboxOf, receive }) => {
    const [owner, agent] = [await inboxOf('owner'), await inboxOf('agent')];
    const [first, second] = [await receive(), await receive()];
    await owner.markUnread({ conversationId: first });
    await owner.markAllRead();
    expect([await owner.unread(), await agent.unread()]).toEqual([[], [second, first]]);
  });

  test('count as read after 30 days, and their rows are removed', async ({
    inboxOf,
    receive,
    workspaceId,
  }) => {
    const owner = await inboxOf('owner');
    const [unread, read, marked] = [await receive(), await receive(), await receive()];
    await owner.markRead({ conversationId: read });
    await owner.markUnread({ conversationId: marked });
    await age(workspaceId);
    await removeOldReads();
    expect(await owner.unread()).toEqual([marked]);
    expect([await reads(unread), await reads(read), await reads(marked)]).toEqual([[], [], [null]]);
  });
});

test('it is the contact’s turn after a reply, and nobody’s after solving', async ({
  inboxOf,
  screensOf,
  receive,
}) => {
  const owner = await inboxOf('owner');
  const id = await receive();
  const turn = async () => (await owner.list({})).rows.find((row) => row.id === id)?.turn;
  expect(await turn()).toBe('team');
  await pool().query(
    `insert into messages (id, workspace_id, conversation_id, direction, author_kind, content, created_at)
     select gen_random_uuid(), workspace_id, id, 'outbound', 'teammate', 'Hello', now() + interval '1 second'
     from conversations where id = $1`,
    [id],
  );
  expect(await turn()).toBe('contact');
  const { conversations } = await screensOf('owner');
  await conversations.update({ id, changes: { status: 'solved' } });
  expect(await turn()).toBeNull();
});

function receiverFor(workspaceId: string) {
  return async (fields: Parameters<typeof incoming>[1] = {}) => {
    const { conversationId } = await receiveMessage(...incoming(workspaceId, fields));
    return conversationId;
  };
}

const inboxFor = ({ inbox, conversations }: Awaited<ReturnType<typeof screensFor>>) => ({
  list: inbox.list,
  counts: inbox.counts,
  markRead: inbox.markRead,
  markUnread: inbox.markUnread,
  markAllRead: inbox.markAllRead,
  unread: async () => (await inbox.list({ unread: 'yes' })).rows.map(({ id }) => id),
  unreadCount: async () => (await inbox.viewCounts()).unread,
  isUnread: async (id: string) => (await conversations.get({ id }))?.conversation.unread,
});

/** Returns how far each teammate who read or marked the conversation has read it. */
async function reads(conversationId: string): Promise<(Date | null)[]> {
  const { rows } = await pool().query<{ read_until: Date | null }>(
    'select read_until from conversation_reads where conversation_id::text = $1',
    [conversationId],
  );
  return rows.map(({ read_until }) => read_until);
}

/** Makes all messages and reads of a workspace 31 days older. */
async function age(workspaceId: string): Promise<void> {
  await pool().query(
    `with read as (
       update conversation_reads set read_until = read_until - interval '31 days' where workspace_id = $1
     ), member as (
       update members set read_before = read_before - interval '60 days' where workspace_id = $1
     )
     update conversations set last_message_at = last_message_at - interval '31 days',
       last_inbound_at = last_inbound_at - interval '31 days'
     where workspace_id = $1`,
    [workspaceId],
  );
}
