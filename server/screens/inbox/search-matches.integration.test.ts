import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

/** Calls of the inbox by the owner, and a conversation of their workspace. */
const test = serviceTest.extend('inbox', async ({ connection }) => {
  const screens = await signInTeammate(connection.teammate);
  return {
    list: async (search: string) => (await (await screens()).inbox.list({ search })).rows,
    counts: async (search: string) => (await (await screens()).inbox.counts({ search })).open,
  };
});

describe('a row found by a search', () => {
  test('has a snippet of the newest matching message', async ({ inbox, connection, conversation }) => {
    const { workspaceId } = connection;
    const to = { workspaceId, conversationId: conversation };
    await addMessage({ ...to, content: 'An older hopper', minute: 1 });
    await addMessage({ ...to, content: `${'Long ago. '.repeat(50)}The cracked hopper`, minute: 2 });
    await addMessage({ ...to, content: 'Thank you', minute: 3 });
    await addNote({ ...to, content: 'Hopper is known', minute: 4 });
    const [row, ...others] = await inbox.list('hopper');
    expect(others).toEqual([]);
    expect(row?.match?.in).toBe('message');
    expect(row?.match?.snippet).toMatch(/^… .*The cracked hopper$/);
    expect(row?.preview).toBe('Thank you');
  });

  test('has a snippet of a note, and is counted', async ({ inbox, connection, conversation }) => {
    const { workspaceId } = connection;
    await addNote({ workspaceId, conversationId: conversation, content: 'Refund approved by finance' });
    expect((await inbox.list('finance refund ')).map(({ match }) => match)).toEqual([
      { in: 'note', snippet: 'Refund approved by finance' },
    ]);
    expect(await inbox.counts('finance')).toEqual({ count: 1, more: false });
  });

  test('by an order number that PostgreSQL splits has a snippet', async ({
    inbox,
    connection,
    conversation,
  }) => {
    const { workspaceId } = connection;
    await addMessage({ workspaceId, conversationId: conversation, content: 'Order 1e07b is late' });
    for (const search of ['1e07b', 'order 1e07b late'])
      expect((await inbox.list(search)).map(({ match }) => match?.snippet)).toEqual(['Order 1e07b is late']);
  });

  test('has no snippet when the subject matches', async ({ inbox, connection }) => {
    const { workspaceId } = connection;
    const conversationId = await makeConversation(connection, { subject: 'Broken grinder' });
    await addMessage({ workspaceId, conversationId, content: 'My grinder is broken' });
    expect((await inbox.list('grinder')).map(({ match, subject }) => ({ match, subject }))).toEqual([
      { match: null, subject: 'Broken grinder' },
    ]);
  });
});

test('an attacker in another workspace finds no notes', async ({
  inbox,
  connection,
  conversation,
  teammates,
}) => {
  const { workspaceId } = connection;
  await addNote({ workspaceId, conversationId: conversation, content: 'Confidential zebra' });
  expect(await inbox.list('zebra')).toHaveLength(1);
  const attacker = await signInTeammate(teammates.owner);
  expect((await (await attacker()).inbox.list({ search: 'zebra' })).rows).toEqual([]);
});

test('a rare note is found by its index behind many newer conversations', async ({ inbox, connection }) => {
  const { workspaceId } = connection;
  const conversationId = await makeConversation(connection, { lastMessageAt: at(-1_000) });
  await addNote({ workspaceId, conversationId, content: 'Quokka' });
  await db().conversation.createMany({
    data: Array.from({ length: 1_100 }, (_, minute) => ({
      workspaceId,
      channel: 'email' as const,
      lastMessageAt: at(minute),
    })),
  });
  expect((await inbox.list('quokka')).map(({ id }) => id)).toEqual([conversationId]);
  expect(await inbox.counts('quokka')).toEqual({ count: 1, more: false });
});

type Text = { workspaceId: string; conversationId: string; content: string; minute?: number };

const at = (minute = 0) => new Date(Date.parse('2026-11-21T12:00:00.000Z') + minute * 60_000);

async function addMessage({ minute, ...columns }: Text) {
  const author = { direction: 'inbound', authorKind: 'contact' } as const;
  await db().message.create({ data: { ...columns, ...author, createdAt: at(minute) } });
}

async function addNote({ minute, ...columns }: Text) {
  await db().note.create({
    data: { id: uuidv7(), ...columns, authorKind: 'automatic', createdAt: at(minute) },
  });
}
