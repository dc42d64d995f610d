import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Removal } from '#server/generated/prisma/enums.ts';
import { removeConversation, restoreConversation } from '#server/inbox/conversations/removal.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { LONG_AGO, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { test } from '#test/fixtures/service-test.ts';

const REMOVALS = ['spam', 'deleted'] as const;

describe.for(REMOVALS)('after a conversation is %s', (to) => {
  test('the API answers 404 and changes nothing', async ({ api, connection, conversation }) => {
    await remove(connection, conversation, to);
    const before = await rowsOfWorkspace(connection.workspaceId);
    const calls = [
      ['PATCH', '', { status: 'solved' }],
      ['POST', '/replies', { content: 'Hello' }],
      ['POST', '/notes', { content: 'Hello' }],
      ['POST', '/tags', { tags: ['vip'] }],
    ] as const;
    for (const [method, path, body] of calls) {
      expect((await api(method, `/conversations/${conversation}${path}`, body)).status).toBe(404);
    }
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });

  test('the API does not find it', async ({ api, connection }) => {
    const { id: contactId, email } = await makeContact(connection.workspaceId);
    const id = await makeConversation(connection, { contactId });
    await remove(connection, id, to);
    expect((await api('GET', `/conversations/search?id=${id}`)).body).toEqual([]);
    expect((await api('GET', `/conversations/search?contact_email=${email}`)).body).toEqual([]);
    await restore(connection, id, to);
    expect((await api('GET', `/conversations/search?id=${id}`)).body).toMatchObject([{ id, status: 'open' }]);
    expect((await api('GET', `/conversations/search?contact_email=${email}`)).body).toMatchObject([{ id }]);
  });

  test.for(EVENT_KEYS.filter((key) => key !== 'contact.created'))(
    'it is not among the samples of %s',
    async (key, { service, connection }) => {
      const samples = sampleClient(service.url, connection.accessToken);
      const id = await makeOccurrence(key, connection, { at: new Date() });
      expect(await samples(key)).toHaveLength(1);
      await remove(connection, id, to);
      expect(await samples(key)).toEqual([]);
    },
  );

  test('its SLA clocks stop and its notifications are read', async ({ connection, conversation }) => {
    const { workspaceId, teammate } = connection;
    const at = { workspaceId, conversationId: conversation };
    const clock = {
      ...at,
      kind: 'resolution' as const,
      startedAt: new Date(),
      dueAt: new Date(Date.now() + 9e6),
    };
    await db().slaClock.create({ data: clock });
    await db().notification.create({
      data: { ...at, userId: teammate.id, kind: 'assigned', data: { byName: null } },
    });
    await remove(connection, conversation, to);
    expect(await db().slaClock.count({ where: { ...at, stoppedAt: null } })).toBe(0);
    expect(await db().notification.count({ where: { ...at, readAt: null } })).toBe(0);
    await restore(connection, conversation, to);
    expect(await db().slaClock.count({ where: { ...at, stoppedAt: null, pausedAt: null } })).toBe(1);
  });

  test('notifications of conversations merged into it are read, and open pages refresh the notifications', async ({
    connection,
    conversation,
  }) => {
    const { workspaceId, teammate } = connection;
    const merged = await makeConversation(connection);
    await mergeAs(connection, merged, conversation);
    await db().notification.create({
      data: { workspaceId, conversationId: merged, userId: teammate.id, kind: 'contact_wrote' },
    });
    const removing = publishedTopics(workspaceId, () => remove(connection, conversation, to));
    expect(await removing).toEqual(['conversations', 'notifications']);
    expect(await db().notification.count({ where: { conversationId: merged, readAt: null } })).toBe(0);
    const restoring = publishedTopics(workspaceId, () => restore(connection, conversation, to));
    expect(await restoring).toEqual(['conversations', 'notifications']);
  });

  test('its first response clock continues after restoring, unless it was stopped before', async ({
    connection,
  }) => {
    for (const status of ['open', 'pending'] as const) {
      const [waiting, answered] = [
        await makeConversation(connection, { status }),
        await makeConversation(connection, { status }),
      ];
      const [startedAt, dueAt] = [new Date(), new Date(Date.now() + 9e6)];
      const at = { workspaceId: connection.workspaceId, kind: 'first_response' as const, startedAt, dueAt };
      await db().slaClock.createMany({
        data: [
          { ...at, conversationId: waiting },
          { ...at, conversationId: answered, stoppedAt: new Date() },
        ],
      });
      for (const id of [waiting, answered]) {
        await remove(connection, id, to);
        if (to === 'spam') await remove(connection, id, 'deleted');
        await restore(connection, id, 'deleted');
      }
      const clock = await db().slaClock.findFirstOrThrow({ where: { conversationId: waiting } });
      expect(clock.stoppedAt).toBeNull();
      expect(clock.dueAt.getTime()).toBeGreaterThan(dueAt.getTime());
      expect(await db().slaClock.count({ where: { conversationId: answered, stoppedAt: null } })).toBe(0);
    }
  });

  test('its first response clock stays stopped after restoring if a reply was sent in the meantime', async ({
    connection,
  }) => {
    for (const status of ['sent', 'unreported', 'failed'] as const) {
      const id = await makeConversation(connection);
      await startFirstResponse(connection, id);
      const message = await makeReply(connection, id);
      await remove(connection, id, to);
      await recordOutcome(message, { status, externalId: null, reason: 'Unreachable' });
      await restore(connection, id, to);
      const clock = await db().slaClock.findFirstOrThrow({ where: { conversationId: id } });
      expect(clock).toMatchObject({ stoppedAt: status === 'failed' ? null : expect.any(Date) });
    }
  });

  test('its first response clock continues after restoring if only the AI agent or an earlier reply answered', async ({
    connection,
  }) => {
    for (const columns of [{ authorKind: 'ai_agent' as const }, { createdAt: LONG_AGO }]) {
      const id = await makeConversation(connection);
      await startFirstResponse(connection, id);
      await makeReply(connection, id, { ...columns, sendStatus: 'sent' });
      await remove(connection, id, to);
      await restore(connection, id, to);
      expect(await db().slaClock.count({ where: { conversationId: id, stoppedAt: null } })).toBe(1);
    }
  });

  test('the timeline shows who did it', async ({ connection, conversation }) => {
    await remove(connection, conversation, to);
    await remove(connection, conversation, to);
    await restore(connection, conversation, to);
    await restore(connection, conversation, to);
    const entries = await db().timelineEntry.findMany({
      where: { conversationId: conversation },
      orderBy: { createdAt: 'asc' },
    });
    expect(entries.map(({ kind, actorName }) => [kind, actorName])).toEqual([
      [to === 'spam' ? 'marked_spam' : 'deleted', connection.teammate.name],
      ['restored', connection.teammate.name],
    ]);
  });
});

describe('a contact who writes again', () => {
  test.for(['open', 'solved', 'closed'] as const)(
    'stays in a spam conversation that was %s, without an event',
    async (status, { connection }) => {
      const id = await makeConversation(connection, { status, assigneeId: connection.teammate.id });
      await remove(connection, id, 'spam');
      const events = await countEvents(connection);
      const { conversationId } = await receive(connection, id);
      expect(conversationId).toBe(id);
      expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({
        status,
        removal: 'spam',
      });
      expect(await countEvents(connection)).toBe(events);
      expect(await db().notification.count({ where: { conversationId: id } })).toBe(0);
    },
  );

  test('starts a new conversation after a deletion', async ({ connection, conversation }) => {
    await remove(connection, conversation, 'deleted');
    const { conversationId } = await receive(connection, conversation);
    expect(conversationId).not.toBe(conversation);
    expect(await db().message.count({ where: { conversationId: conversation } })).toBe(0);
  });

  test('during the deletion reaches the conversation before its deletion, or starts a new one', async ({
    connection,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      const id = await makeConversation(connection);
      const [{ conversationId }] = await Promise.all([
        receive(connection, id),
        remove(connection, id, 'deleted'),
      ]);
      const { removal } = await db().conversation.findUniqueOrThrow({ where: { id } });
      const target = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
      expect(removal).toBe('deleted');
      expect(target.removal).toBe(conversationId === id ? 'deleted' : null);
      expect(await db().message.count({ where: { conversationId } })).toBe(1);
    }
  });
});

test('spam can be deleted, and a deleted conversation cannot become spam', async ({
  connection,
  conversation,
}) => {
  await remove(connection, conversation, 'spam');
  await remove(connection, conversation, 'deleted');
  await expect(remove(connection, conversation, 'spam')).rejects.toThrow('was deleted');
  await expect(restore(connection, conversation, 'spam')).rejects.toThrow('was deleted');
  await restore(connection, conversation, 'deleted');
});

test('a conversation cannot be restored after 30 days', async ({ connection, conversation }) => {
  await remove(connection, conversation, 'deleted');
  const removedAt = new Date(Date.now() - 31 * 86_400_000);
  await db().conversation.update({ where: { id: conversation }, data: { removedAt } });
  await expect(restore(connection, conversation, 'deleted')).rejects.toThrow('Too late to restore');
});

async function startFirstResponse({ workspaceId }: Teammate, conversationId: string): Promise<void> {
  const [startedAt, dueAt] = [new Date(), new Date(Date.now() + 9e6)];
  await db().slaClock.create({
    data: { workspaceId, conversationId, kind: 'first_response', startedAt, dueAt },
  });
}

/** Creates a reply that is being sent. */
async function makeReply(
  { workspaceId }: Teammate,
  conversationId: string,
  columns: Partial<Prisma.MessageUncheckedCreateInput> = {},
): Promise<string> {
  const data = { workspaceId, conversationId, direction: 'outbound' as const, content: 'Hello Ada' };
  const message = await db().message.create({
    data: { ...data, authorKind: 'teammate', sendStatus: 'sending', ...columns },
  });
  return message.id;
}

type Teammate = Pick<Connected, 'workspaceId' | 'teammate'>;

function remove({ workspaceId, teammate }: Teammate, id: string, to: Removal) {
  return removeConversation({ workspaceId, id, to, actor: { kind: 'teammate', teammate } });
}

function restore({ workspaceId, teammate }: Teammate, id: string, from: Removal) {
  return restoreConversation({ workspaceId, id, from, actor: { kind: 'teammate', teammate } });
}

function receive({ workspaceId }: Teammate, conversationId: string) {
  return receiveMessage(...incoming(workspaceId, { conversationId }));
}

function countEvents({ workspaceId }: Teammate): Promise<number> {
  return db().event.count({ where: { workspaceId } });
}
