import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { beginErasure } from '#server/administration/privacy/begin-erasure.ts';
import { db } from '#server/core/database/prisma.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

/** Screens of an owner and an agent of a workspace, and a conversation there. */
const test = serviceTest
  .extend('owner', async ({ teammates }) => (await signInTeammate(teammates.owner))())
  .extend('agent', async ({ teammates }) => (await signInTeammate(teammates.agent))())
  .extend('id', ({ teammates }) =>
    makeConversation({ workspaceId: teammates.workspaceId, teammate: teammates.agent }),
  );

test('a conversation that is being erased is not in Deleted, and cannot be restored', async ({
  owner,
  id,
}) => {
  await owner.removed.delete({ id });
  expect((await owner.removed.listDeleted({})).rows).toMatchObject([{ id }]);
  const { contactId, workspaceId } = await db().conversation.findUniqueOrThrow({ where: { id } });
  await db().contactErasure.create({
    data: {
      contactId: contactId ?? '',
      workspaceId,
      requestedById: id,
      requestedByName: 'Ben',
      dueAt: new Date(),
    },
  });
  await beginErasure(contactId ?? '');
  expect((await owner.removed.listDeleted({})).rows).toEqual([]);
  await expect(owner.removed.undelete({ id })).rejects.toThrow('was not found');
});

describe('a conversation marked as spam', () => {
  test('leaves the list, the counts and the search, and is in Spam', async ({ agent, id, teammates }) => {
    await agent.removed.markSpam({ id, block: null });
    expect((await agent.inbox.list({})).rows).toEqual([]);
    expect((await agent.inbox.list({ search: 'Order' })).rows).toEqual([]);
    expect((await agent.inbox.list({ tag: 'shipping' })).rows).toEqual([]);
    expect((await agent.inbox.counts({})).open.count).toBe(0);
    expect((await agent.inbox.counts({ search: 'Order' })).open.count).toBe(0);
    expect((await agent.inbox.viewCounts()).mine.count).toBe(0);
    expect((await agent.inbox.filterChoices()).tags).toEqual([]);
    expect(await agent.conversations.tags()).toEqual([]);
    expect((await agent.removed.listSpam({})).rows).toMatchObject([{ id, byName: teammates.agent.name }]);
    await agent.removed.markNotSpam({ id });
    expect((await agent.inbox.list({})).rows).toMatchObject([{ id }]);
    expect((await agent.inbox.viewCounts()).mine.count).toBe(1);
    expect(await agent.conversations.tags()).toEqual(['Shipping']);
    expect((await agent.removed.listSpam({})).rows).toEqual([]);
  });

  test('can be read, but not changed', async ({ agent, id }) => {
    await agent.removed.markSpam({ id, block: null });
    const opened = await agent.conversations.get({ id });
    expect(opened?.conversation.removal).toMatchObject({ kind: 'spam' });
    expect(opened?.composer.readOnly).toContain('spam');
    await expect(agent.conversations.update({ id, changes: { status: 'solved' } })).rejects.toThrow('spam');
  });
});

describe('a deleted conversation', () => {
  test('is seen and restored by owners and admins only', async ({ owner, agent, id }) => {
    await expect(agent.removed.delete({ id })).rejects.toThrow();
    await owner.removed.delete({ id });
    await expect(agent.removed.listDeleted({})).rejects.toThrow();
    await expect(agent.removed.undelete({ id })).rejects.toThrow();
    await expect(agent.removed.markNotSpam({ id })).rejects.toThrow('was deleted');
    expect(await agent.conversations.get({ id })).toBeNull();
    expect(await agent.conversations.tags()).toEqual([]);
    expect((await owner.conversations.get({ id }))?.conversation.removal?.kind).toBe('deleted');
    expect((await owner.removed.listDeleted({})).rows).toMatchObject([{ id }]);
    await owner.removed.undelete({ id });
    expect((await owner.inbox.list({})).rows).toMatchObject([{ id }]);
  });

  test('is previewed with what it contains, without deleted notes and their files', async ({
    owner,
    id,
    teammates,
  }) => {
    const { workspaceId } = teammates;
    const at = { workspaceId, conversationId: id };
    await db().note.create({ data: { ...at, authorKind: 'automatic', content: 'Checked' } });
    const message = { ...at, direction: 'inbound', authorKind: 'contact', content: 'Hello' } as const;
    await db().message.createMany({ data: [message, message] });
    await db().conversation.create({ data: { workspaceId, channel: 'email', mergedIntoId: id } });
    const { id: noteId } = await db().note.findFirstOrThrow({ where: { conversationId: id } });
    const { id: fileId, ...file } = await storeBytes(workspaceId, { name: 'plan.txt', content: 'Plan' });
    await db().noteFile.create({
      data: { id: randomUUID(), workspaceId, noteId, fileId, position: 0, ...file },
    });
    expect(await owner.removed.previewDeletion({ id })).toMatchObject({
      messages: { count: 2 },
      notes: { count: 1 },
      files: { count: 1 },
      merged: { count: 1 },
      restoreDays: 30,
    });
    await db().note.update({ where: { id: noteId }, data: { deletedAt: new Date() } });
    expect(await owner.removed.previewDeletion({ id })).toMatchObject({
      notes: { count: 0 },
      files: { count: 0 },
    });
  });

  test('of another workspace does not exist', async ({ owner, conversation }) => {
    await expect(owner.removed.delete({ id: conversation })).rejects.toThrow('not');
    await expect(owner.removed.previewDeletion({ id: conversation })).rejects.toThrow('not');
  });
});

test('Spam has pages, newest first', async ({ agent, teammates }) => {
  const ids: string[] = [];
  for (let minute = 0; minute < 52; minute += 1) {
    const removedAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
    const stage = { workspaceId: teammates.workspaceId, teammate: teammates.agent };
    ids.unshift(await makeConversation(stage, { removal: 'spam', removedAt }));
  }
  const first = await agent.removed.listSpam({});
  const second = await agent.removed.listSpam({ cursor: first.nextCursor ?? '' });
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(ids);
  expect([first.rows.length, second.nextCursor]).toEqual([50, null]);
});
