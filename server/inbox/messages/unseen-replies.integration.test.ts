import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import type { Teammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

/** `desk`: a conversation with one message of its contact, and ways to add to it. */
const test = mailTest.extend('desk', ({ teammates }) => openDesk(teammates));

describe('a reply is not sent when its writer has not seen', () => {
  test('a message of the contact, until they confirm', async ({ desk, teammates: { agent } }) => {
    const seen = await desk.shown();
    const added = await desk.contactWrites('Never mind, it works.');
    expect(await desk.write(agent, seen)).toMatchObject({
      unseen: [{ id: added, kind: 'message', fromContact: true, content: 'Never mind, it works.' }],
    });
    expect(await desk.pendingIds()).toEqual([]);
    expect(JSON.stringify(await queuedJobs())).not.toContain('send-pending-reply');
    expect(await desk.write(agent, [...seen, added])).toMatchObject({ unseen: [] });
    expect(await desk.pendingIds()).toHaveLength(1);
  });

  test('a reply of a colleague, before and after it is sent', async ({
    desk,
    teammates: { agent, owner },
  }) => {
    const seen = await desk.shown();
    const id = randomUUID();
    await desk.write(owner, seen, id);
    const refused = { unseen: [{ id, kind: 'pending', authorName: owner.name, content: 'Hello Ada' }] };
    expect(await desk.write(agent, seen)).toMatchObject(refused);
    await sendPendingReply(id);
    expect(await desk.write(agent, seen)).toMatchObject({ unseen: [{ id, kind: 'message' }] });
    // The writer confirmed the pending reply, which was sent in the meantime.
    expect(await desk.write(agent, [...seen, id])).toMatchObject({ unseen: [] });
  });

  test('a reply through the API in their own name', async ({ desk, teammates: { workspaceId, owner } }) => {
    const seen = await desk.shown();
    const { id: connectionId } = await makeConnection({ workspaceId, teammate: owner });
    const { id } = await sendReply({
      workspaceId,
      id: desk.conversationId,
      actor: { kind: 'workflow', teammate: owner, connectionId },
      content: 'From a workflow',
    });
    expect(await desk.write(owner, seen)).toMatchObject({ unseen: [{ id, actorKind: 'workflow' }] });
  });

  test('a note of a colleague', async ({ desk, teammates: { workspaceId, agent, owner } }) => {
    const seen = await desk.shown();
    const actor = { kind: 'teammate' as const, teammate: owner };
    await planAndWrite((tx) =>
      addNote(tx, { workspaceId, id: desk.conversationId, actor, content: 'I called them.' }),
    );
    expect(await desk.write(agent, seen)).toMatchObject({
      unseen: [{ kind: 'note', authorName: owner.name, content: 'I called them.' }],
    });
  });

  test('anything newer than what they confirmed', async ({ desk, teammates: { agent } }) => {
    const seen = await desk.shown();
    const first = await desk.contactWrites('First');
    const second = await desk.contactWrites('Second');
    expect(await desk.write(agent, [...seen, first])).toMatchObject({ unseen: [{ id: second }] });
  });
});

describe('a reply is sent', () => {
  test('after the writer’s own replies and notes that the page does not show yet', async ({
    desk,
    teammates: { workspaceId, agent },
  }) => {
    const seen = await desk.shown();
    const id = randomUUID();
    await desk.write(agent, seen, id);
    await sendPendingReply(id);
    const actor = { kind: 'teammate' as const, teammate: agent };
    await planAndWrite((tx) =>
      addNote(tx, { workspaceId, id: desk.conversationId, actor, content: 'Told them.' }),
    );
    expect(await desk.write(agent, seen)).toMatchObject({ unseen: [] });
  });

  test('once, even if the request is repeated after something was added', async ({
    desk,
    teammates: { agent },
  }) => {
    const seen = await desk.shown();
    const id = randomUUID();
    await desk.write(agent, seen, id);
    await desk.contactWrites('One more thing');
    expect(await desk.write(agent, seen, id)).toMatchObject({ unseen: [] });
    await sendPendingReply(id);
    expect(await desk.write(agent, seen, id)).toMatchObject({ unseen: [] });
    expect(await desk.pendingIds()).toEqual([]);
    expect(
      await db().message.count({ where: { conversationId: desk.conversationId, authorId: agent.id } }),
    ).toBe(1);
  });

  test('in a long conversation when the page shows its newest part', async ({
    desk,
    teammates: { agent },
  }) => {
    for (let i = 0; i < 25; i += 1) await desk.contactWrites(`Message ${i}`);
    const seen = (await desk.shown()).slice(-20);
    expect(await desk.write(agent, seen)).toMatchObject({ unseen: [] });
  });
});

test('after a merge, only what is newer than the page counts, although all that it shows is from the merged conversation', async ({
  desk,
  teammates: { workspaceId, agent },
}) => {
  const merged = await makeConversation(
    { workspaceId, teammate: agent },
    { mergedIntoId: desk.conversationId },
  );
  const at = { workspaceId, conversationId: merged, direction: 'inbound', authorKind: 'contact' } as const;
  const older = new Date(Date.now() - 3_600_000);
  await db().message.updateMany({
    where: { conversationId: desk.conversationId },
    data: { createdAt: older },
  });
  const rows = Array.from({ length: 20 }, (_, n) => ({
    ...at,
    id: randomUUID(),
    content: `Message ${n}`,
    createdAt: new Date(Date.now() - 60_000 + n),
  }));
  await db().message.createMany({ data: rows });
  const seen = rows.map(({ id }) => id);
  expect(await desk.write(agent, seen)).toMatchObject({ unseen: [] });
  const added = await desk.contactWrites('One more question.');
  expect(await desk.write(agent, seen)).toMatchObject({ unseen: [{ id: added }] });
});

test('one of two replies written in parallel is stored, and the other writer is asked to confirm', async ({
  desk,
  teammates: { workspaceId, agent, owner },
}) => {
  const seen = await desk.shown();
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = sqlTransaction(async (tx) => {
    await lockConversation(tx, { workspaceId, id: desk.conversationId });
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const writing = [desk.write(agent, seen), desk.write(owner, seen)];
  await until('both wait for the conversation', async () => (await countLockWaiters()) >= 2);
  release.resolve();
  await holding;
  const counts = (await Promise.all(writing)).map(({ unseen }) => unseen.length);
  expect(counts.sort()).toEqual([0, 1]);
  expect(await desk.pendingIds()).toHaveLength(1);
});

async function openDesk(teammates: Teammates) {
  const { workspaceId, owner } = teammates;
  const conversationId = await makeConversation({ workspaceId, teammate: owner });
  const contactWrites = async (content: string): Promise<string> => {
    const input = { conversationId, content, externalId: randomUUID() };
    return (await receiveMessage(...incoming(workspaceId, input))).messageId;
  };
  await contactWrites('It is broken.');
  return {
    conversationId,
    contactWrites,
    /** Returns what a page shows, oldest first. */
    shown: async () => {
      const messages = await db().message.findMany({
        where: { conversationId },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        select: { id: true },
      });
      return messages.map(({ id }) => id);
    },
    write: (author: Teammates['agent'], seen: string[], id: string = randomUUID()) =>
      scheduleReply({ workspaceId, conversationId, id, author, content: 'Hello Ada', seen }),
    pendingIds: async () => {
      const pending = await db().pendingReply.findMany({ where: { conversationId }, select: { id: true } });
      return pending.map(({ id }) => id);
    },
  };
}
