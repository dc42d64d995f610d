import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { searchConversations } from '#server/inbox/lists/search-conversations.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

/**
 * A conversation into which another one was merged, which has the only "quokka" in each kind of text. `behind`: newer conversations, so
 * many that a scan does not reach it.
 */
const test = serviceTest.extend('stage', async ({ connection }) => {
  const { workspaceId } = connection;
  const screens = await signInTeammate(connection.teammate);
  return async ({ behind }: { behind: number }) => {
    const into = await makeConversation(connection, { subject: 'Order', lastMessageAt: at(-1) });
    const contact = await makeContact(workspaceId, { firstName: 'Wallaby', email: 'numbat@zoo.test' });
    const merged = await makeConversation(connection, {
      subject: 'About my dingo',
      contactId: contact.id,
      mergedIntoId: into,
    });
    const of = { workspaceId, conversationId: merged };
    const author = { direction: 'inbound', authorKind: 'contact' } as const;
    await db().message.create({ data: { ...of, ...author, content: 'The quokka is late' } });
    await db().note.create({ data: { id: uuidv7(), ...of, authorKind: 'automatic', content: 'A bilby' } });
    await db().conversation.createMany({
      data: Array.from({ length: behind }, (_, minute) => ({
        workspaceId,
        channel: 'email' as const,
        lastMessageAt: at(minute),
      })),
    });
    return {
      workspaceId,
      into,
      list: async (search: string) => (await (await screens()).inbox.list({ search })).rows,
      count: async (search: string) => (await (await screens()).inbox.counts({ search })).open,
    };
  };
});

const at = (minute: number) => new Date(Date.parse('2026-11-21T12:00:00.000Z') + minute * 60_000);

describe.for([
  { name: 'among few conversations', behind: 0 },
  { name: 'behind many newer conversations', behind: 1_100 },
])('a merged conversation, $name,', ({ behind }) => {
  test('is found as the one that it was merged into, by its messages, notes, subject and contact', async ({
    stage,
  }) => {
    const { workspaceId, into, list, count } = await stage({ behind });
    for (const [search, match] of [
      ['quokka', { in: 'message', snippet: 'The quokka is late' }],
      ['bilby', { in: 'note', snippet: 'A bilby' }],
      ['dingo', { in: 'merged', snippet: 'About my dingo' }],
      ['wallaby', null],
      ['numbat@zoo.test', null],
    ] as const) {
      expect(await list(search)).toMatchObject([{ id: into, match }]);
      expect(await count(search)).toEqual({ count: 1, more: false });
    }
    const page = { language: 'english', after: null, limit: 10 } as const;
    const found = await searchConversations(sql(), { workspaceId, search: 'quokka', ...page });
    expect(found.conversations).toMatchObject([{ id: into }]);
  });

  test('is not found while the other one is spam', async ({ stage, connection: { teammate } }) => {
    const { workspaceId, into, list, count } = await stage({ behind });
    const actor = { kind: 'teammate', teammate } as const;
    await removeConversation({ workspaceId, id: into, actor, to: 'spam' });
    for (const search of ['quokka', 'bilby', 'dingo', 'wallaby', 'numbat@zoo.test']) {
      expect(await list(search)).toEqual([]);
      expect(await count(search)).toEqual({ count: 0, more: false });
    }
  });
});
