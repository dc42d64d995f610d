import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { removeOldSuggestions } from '#server/inbox/messages/suggested-replies.ts';
import type { SuggestedReplyView } from '#server/screens/inbox/composer-views.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

/** `test` with a program that suggests replies in `conversation`, and an agent who reads them. */
const test = screensTest
  .extend('program', ({ service, teammates: { workspaceId, owner } }) => async (label = 'Assistant') => {
    const where = { workspaceId, by: owner };
    const { token, id } = await makeApiToken({ abilities: ['suggest_replies'], label, where });
    const call = developerClient(service.url, token);
    const suggest = (conversationId: string, content: string, reason = 'It was asked for.') =>
      call('POST', `/conversations/${conversationId}/suggested-replies`, { content, reason });
    return { id, suggest };
  })
  .extend('agent', async ({ screensOf, conversation }) => {
    const screens = await screensOf('agent');
    const suggested = async (id = conversation): Promise<SuggestedReplyView[]> =>
      (await screens.conversations.get({ id }))?.composer.suggested ?? [];
    const send = async ({ id: suggestedId, content }: SuggestedReplyView, id: string = randomUUID()) => {
      const reply = { conversationId: conversation, id, content, suggestedId };
      return { id, ...(await screens.composer.reply(reply)) };
    };
    return { screens, suggested, send };
  });

const GONE = /^This suggestion is gone\./;

describe('a suggested reply', () => {
  test('is shown with its reason and program, and open pages learn of it', async ({
    program,
    agent,
    conversation,
    workspaceId,
  }) => {
    const { suggest } = await program();
    const topics = await publishedTopics(workspaceId, async () => {
      const { status, body } = await suggest(conversation, 'Hello Ada', 'She asks for her parcel.');
      expect([status, body]).toEqual([
        201,
        {
          id: expect.any(String),
          conversation_id: conversation,
          content: 'Hello Ada',
          reason: 'She asks for her parcel.',
          created_at: expect.any(String),
          url: expect.stringContaining(conversation),
        },
      ]);
    });
    expect(topics).toEqual(['conversations']);
    expect(await agent.suggested()).toEqual([
      {
        id: expect.any(String),
        programName: 'Assistant',
        content: 'Hello Ada',
        reason: 'She asks for her parcel.',
        createdAt: expect.any(String),
        since: null,
      },
    ]);
    expect(await db().message.count({ where: { conversationId: conversation } })).toBe(0);
  });

  test('is sent once in the teammate’s name, also when the request is repeated or two teammates send it', async ({
    program,
    agent,
    screensOf,
    conversation,
    teammates,
  }) => {
    await (await program()).suggest(conversation, 'Hello Ada');
    const [shown] = await agent.suggested();
    if (!shown) throw new Error('There is no suggestion.');
    const { id, msLeft } = await agent.send(shown);
    expect(msLeft).toBe(5_000);
    expect(await agent.suggested()).toEqual([]);
    await agent.send(shown, id);
    const owner = await screensOf('owner');
    const again = { conversationId: conversation, content: shown.content, suggestedId: shown.id };
    await expect(owner.composer.reply({ ...again, id: randomUUID() })).rejects.toThrow(GONE);
    await sendPendingReply(id);
    await agent.send(shown, id);
    expect(
      await db().message.findMany({
        where: { conversationId: conversation },
        select: { id: true, content: true, authorKind: true, authorId: true },
      }),
    ).toEqual([{ id, content: 'Hello Ada', authorKind: 'teammate', authorId: teammates.agent.id }]);
    expect(await db().pendingReply.count({ where: { conversationId: conversation } })).toBe(0);
  });

  test('is sent or taken once when both happen in parallel', async ({ program, agent, conversation }) => {
    const { suggest } = await program();
    for (let round = 0; round < 5; round += 1) {
      await suggest(conversation, `Draft ${round}`);
      const [shown] = await agent.suggested();
      if (!shown) throw new Error('There is no suggestion.');
      const results = await Promise.allSettled([
        agent.send(shown),
        agent.send(shown),
        agent.screens.composer.takeSuggested({ id: shown.id }),
      ]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const [sent, , taken] = results.map(({ status }) => status === 'fulfilled');
      const replies = await db().pendingReply.count({ where: { content: `Draft ${round}` } });
      expect(replies).toBe(taken ? 0 : 1);
      expect(typeof sent).toBe('boolean');
    }
  });

  test('returns its text to the teammate who edits or dismisses it, and to no one else', async ({
    program,
    agent,
    screensOf,
    conversation,
  }) => {
    await (await program()).suggest(conversation, 'Hello Ada');
    const [shown] = await agent.suggested();
    const id = shown?.id ?? '';
    await expect((await screensOf('viewer')).composer.takeSuggested({ id })).rejects.toThrow();
    expect(await agent.screens.composer.takeSuggested({ id })).toEqual({ content: 'Hello Ada' });
    expect(await agent.suggested()).toEqual([]);
    await expect(agent.screens.composer.takeSuggested({ id })).rejects.toThrow(GONE);
    await expect(agent.screens.composer.takeSuggested({ id: randomUUID() })).rejects.toThrow(GONE);
  });

  test('replaces the earlier one of its program, which can no longer be sent, and no other program’s', async ({
    program,
    agent,
    conversation,
  }) => {
    const [one, other] = [await program('One'), await program('Other')];
    await one.suggest(conversation, 'First');
    await other.suggest(conversation, 'Second');
    const [first] = await agent.suggested();
    await one.suggest(conversation, 'First, better');
    if (!first) throw new Error('There is no suggestion.');
    await expect(agent.send(first)).rejects.toThrow(GONE);
    expect(await db().pendingReply.count({ where: { conversationId: conversation } })).toBe(0);
    expect((await agent.suggested()).map(({ content }) => content)).toEqual(['Second', 'First, better']);
  });

  test('says when its conversation was answered, or when the contact wrote since', async ({
    program,
    agent,
    screensOf,
    conversation,
    workspaceId,
  }) => {
    const add = (columns: object) =>
      db().message.create({
        data: {
          workspaceId,
          conversationId: conversation,
          direction: 'inbound',
          authorKind: 'contact',
          content: 'Hello?',
          ...columns,
        },
      });
    const since = async () => (await agent.suggested()).map((each) => each.since);
    await add({});
    await (await program()).suggest(conversation, 'Hello Ada');
    await add({ automatic: true });
    await add({ direction: 'outbound', authorKind: 'automatic' });
    await add({ direction: 'forward', authorKind: 'teammate' });
    expect(await since()).toEqual([null]);
    await add({});
    expect(await since()).toEqual(['written']);
    const owner = await screensOf('owner');
    const reply = { conversationId: conversation, id: randomUUID(), content: 'Done.' };
    await owner.composer.reply(reply);
    expect(await since()).toEqual(['answered']);
    await owner.composer.cancelReply({ id: reply.id });
    expect(await since()).toEqual(['written']);
    await owner.composer.reply(reply);
    await sendPendingReply(reply.id);
    expect(await since()).toEqual(['answered']);
    await db()
      .$executeRaw`update messages set created_at = created_at - interval '2 hours' where conversation_id = ${conversation}::uuid`;
    await db()
      .$executeRaw`update suggested_replies set created_at = created_at - interval '2 hours' where conversation_id = ${conversation}::uuid`;
    expect(await since()).toEqual([]);
  });

  test('is removed after 30 days', async ({ program, agent, conversation }) => {
    await (await program()).suggest(conversation, 'Hello Ada');
    await (await program('Other')).suggest(conversation, 'Hello again');
    await db()
      .$executeRaw`update suggested_replies set created_at = now() - interval '31 days' where conversation_id = ${conversation}::uuid and content = 'Hello Ada'`;
    expect(await removeOldSuggestions()).toBe(1);
    expect((await agent.suggested()).map(({ content }) => content)).toEqual(['Hello again']);
  });

  test('stays with a merged conversation, is never sent to the other contact, and goes with its conversation', async ({
    program,
    agent,
    conversation,
    teammates: { workspaceId, owner },
  }) => {
    const { suggest } = await program();
    const target = await makeConversation({ workspaceId, teammate: owner });
    await suggest(conversation, 'Hello Ada');
    const [shown] = await agent.suggested();
    if (!shown) throw new Error('There is no suggestion.');
    await mergeAs({ workspaceId, teammate: owner }, conversation, target);
    expect([await agent.suggested(), await agent.suggested(target)]).toEqual([[shown], []]);
    await expect(agent.send(shown)).rejects.toThrow('merged');
    expect(await suggest(conversation, 'Again')).toMatchObject({ status: 422 });
    expect(await agent.suggested()).toEqual([shown]);
    await db().conversation.delete({ where: { id: conversation } });
    expect(await db().suggestedReply.count({ where: { workspaceId } })).toBe(0);
  });
});

test('a program suggests nothing in conversations that do not exist for it', async ({
  program,
  teammates: { workspaceId, owner },
}) => {
  const { suggest } = await program();
  const removedAt = new Date();
  const hidden = [
    { removal: 'spam' as const, removedAt },
    { removal: 'deleted' as const, removedAt },
    { isTest: true },
  ];
  const ids = [await makeConversation(await makeConnection()), randomUUID(), 'none'];
  for (const columns of hidden) ids.push(await makeConversation({ workspaceId, teammate: owner }, columns));
  for (const id of ids) expect((await suggest(id, 'Hello')).status).toBe(404);
  expect(await db().suggestedReply.count({ where: { workspaceId } })).toBe(0);
});

test('a suggestion needs a text and a reason that can be stored', async ({ program, conversation }) => {
  const { suggest } = await program();
  expect(await suggest(conversation, ' ', ' ')).toMatchObject({
    status: 422,
    body: { errors: { content: [expect.any(String)], reason: [expect.any(String)] } },
  });
  expect((await suggest(conversation, 'x'.repeat(8_001))).status).toBe(422);
  expect((await suggest(conversation, 'x', 'y'.repeat(1_001))).status).toBe(422);
  expect((await suggest(conversation, 'x'.repeat(8_000), 'y'.repeat(1_000))).status).toBe(201);
});

test('saved replies that the workspace shares are listed for programs, page by page', async ({
  service,
  teammates: { workspaceId, owner },
}) => {
  const { token } = await makeApiToken({ abilities: ['read'], where: { workspaceId, by: owner } });
  const list = async (query: string) =>
    (await developerClient(service.url, token)('GET', `/saved-replies?${query}`)).body as {
      data: object[];
      next_cursor: string;
    };
  const reply = {
    workspaceId,
    createdByName: 'Olivia',
    folder: 'Shipping',
    content: 'Hello {{contact.name}}',
  };
  for (const name of ['One', 'Two']) await db().savedReply.create({ data: { ...reply, name } });
  await db().savedReply.create({ data: { ...reply, name: 'Mine', ownerId: owner.id } });
  const first = await list('limit=1');
  const { folder, content } = reply;
  expect(first.data).toEqual([
    { id: expect.any(String), name: 'One', folder, content, updated_at: expect.any(String) },
  ]);
  expect(await list(`limit=1&cursor=${first.next_cursor}`)).toMatchObject({
    data: [{ name: 'Two' }],
    next_cursor: null,
  });
});
