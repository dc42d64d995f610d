import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { listNotes } from '#server/inbox/messages/list-messages.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { addTeammate, signInTeammate } from '#test/fixtures/teammates.ts';

/** The agent's screens, and a note of theirs in `conversation`. */
const test = screensTest
  .extend('agent', async ({ teammates }) => (await signInTeammate(teammates.agent))())
  .extend('note', async ({ agent, conversation: conversationId, workspaceId }) => {
    await agent.notes.add({ conversationId, content: 'Refund 10 euros.' });
    const { id: noteId } = await db().note.findFirstOrThrow({ where: { workspaceId } });
    const which = { conversationId, noteId };
    return {
      which,
      edit: (content: string, version = 0) => agent.notes.edit({ ...which, version, content }),
      shown: async () => {
        const thread = await agent.conversations.get({ id: conversationId });
        return thread?.conversation.items.find(({ id }) => id === noteId);
      },
      stored: () => db().note.findUniqueOrThrow({ where: { id: noteId }, include: { versions: true } }),
    };
  });

const NOT_OWN = 'Only the author of a note can edit or delete it.';

describe('an edited note', () => {
  test('shows its new text, who may edit it, and its earlier texts', async ({ agent, note, teammates }) => {
    const { edit, shown, which } = note;
    expect(await edit('Refund 20 euros.')).toEqual({
      version: 1,
      content: 'Refund 20 euros.',
      formatted: null,
      unseenBy: [],
    });
    await edit('Refund 30 euros.', 1);
    expect(await shown()).toMatchObject({
      content: 'Refund 30 euros.',
      version: 2,
      editedAt: expect.any(Date),
      ownerId: teammates.agent.id,
      isDeleted: false,
    });
    const { createdAt, editedAt } = await note.stored();
    const texts = await (await signInTeammate(teammates.viewer))();
    const { earlier, ...current } = await texts.notes.texts({ noteId: which.noteId });
    expect(current).toEqual({ version: 2, content: 'Refund 30 euros.', formatted: null, pictures: [] });
    expect(earlier.map(({ content }) => content)).toEqual(['Refund 20 euros.', 'Refund 10 euros.']);
    expect(earlier[1]?.writtenAt).toEqual(createdAt);
    expect(earlier[0]?.writtenAt.getTime()).toBeLessThanOrEqual(editedAt?.getTime() ?? 0);
    expect(await agent.conversations.get({ id: which.conversationId })).not.toBeNull();
  });

  test('is found by its new words only', async ({ agent, note }) => {
    await note.edit('Exchange the grinder.');
    expect((await agent.inbox.list({ search: 'grinder' })).rows).toHaveLength(1);
    expect((await agent.inbox.list({ search: 'refund' })).rows).toHaveLength(0);
  });

  test('notifies teammates whom it did not mention before, once', async ({
    note,
    teammates,
    workspaceId,
  }) => {
    const noor = await addTeammate(workspaceId, 'agent', 'Noor');
    await db().notification.deleteMany({ where: { workspaceId } });
    const notified = async () =>
      (await db().notification.findMany({ where: { workspaceId, kind: 'mentioned' } })).map(
        ({ userId }) => userId,
      );
    await note.edit('@Noor refund it.');
    expect(await notified()).toEqual([noor.id]);
    await note.edit('Refund it.', 1);
    await note.edit('@Noor and @Olivia Owen refund it.', 2);
    expect(await notified()).toEqual([noor.id, teammates.owner.id]);
  });

  test('changes open pages, and emits no event', async ({ api, note, workspaceId }) => {
    const hook = { event: 'message.received', target_url: 'https://hooks.platform.test/hook' };
    expect((await api('POST', '/hooks', hook)).status).toBe(201);
    const before = await db().event.count({ where: { workspaceId } });
    expect(await publishedTopics(workspaceId, () => note.edit('Later.'))).toContain('conversations');
    expect(await db().event.count({ where: { workspaceId } })).toBe(before);
  });

  test('keeps the text of the other of two pages that edit the same version', async ({ note }) => {
    const outcomes = await Promise.allSettled([note.edit('One'), note.edit('Two')]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((each) => each.status === 'rejected');
    expect(refused?.reason.message).toContain('changed somewhere else in the meantime');
    const { content, version, versions } = await note.stored();
    expect({ content: ['One', 'Two'].includes(content), version, versions: versions.length }).toEqual({
      content: true,
      version: 1,
      versions: 1,
    });
  });

  test('is not stored again by a repeated request', async ({ note }) => {
    await note.edit('Two');
    expect(await note.edit('Two')).toMatchObject({ version: 1 });
    expect((await note.stored()).versions).toHaveLength(1);
  });

  test('has at most 50 earlier texts, and can then still be deleted', async ({ agent, note }) => {
    const { noteId } = note.which;
    await db().note.update({ where: { id: noteId }, data: { version: 50 } });
    await expect(note.edit('Again', 50)).rejects.toThrow('edited 50 times');
    await agent.notes.delete({ ...note.which, version: 50 });
    expect(await note.shown()).toMatchObject({ isDeleted: true });
  });

  test('needs a text, and the plan', async ({ note, teammates, workspaceId }) => {
    await expect(note.edit('  ')).rejects.toThrow();
    await db().workspace.update({ where: { id: workspaceId }, data: { plan: 'starter' } });
    const { notes } = await (await signInTeammate(teammates.agent))();
    await expect(notes.edit({ ...note.which, version: 0, content: 'Two' })).rejects.toThrow('Growth');
    await notes.delete({ ...note.which, version: 0 });
  });
});

describe('a deleted note', () => {
  test('shows who deleted it without its text, is not found, and is in no list of programs', async ({
    agent,
    note,
    workspaceId,
  }) => {
    const { which } = note;
    await note.edit('Refund 20 euros.');
    await agent.notes.delete({ ...which, version: 1 });
    expect(await note.shown()).toMatchObject({ content: '', isDeleted: true, authorName: 'Aggie Agent' });
    expect(JSON.stringify(await agent.conversations.get({ id: which.conversationId }))).not.toContain(
      'euros',
    );
    expect((await agent.inbox.list({ search: 'euros' })).rows).toHaveLength(0);
    await expect(agent.notes.texts({ noteId: which.noteId })).rejects.toThrow('The note was not found.');
    expect((await note.stored()).versions.map(({ content }) => content)).toEqual([
      'Refund 10 euros.',
      'Refund 20 euros.',
    ]);
    const listed = await listNotes(sql(), { ...which, workspaceId }, { after: null, limit: 10 });
    expect(listed).toEqual([]);
    await expect(note.edit('Again', 2)).rejects.toThrow('was deleted in the meantime');
    await agent.notes.delete({ ...which, version: 1 });
  });

  test('is restored with its text and its earlier texts', async ({ agent, note }) => {
    const { which } = note;
    await note.edit('Refund 20 euros.');
    const before = await note.stored();
    await agent.notes.delete({ ...which, version: 1 });
    await agent.notes.restore(which);
    await agent.notes.restore(which);
    expect(await note.stored()).toEqual(before);
    expect((await agent.inbox.list({ search: 'euros' })).rows).toHaveLength(1);
  });

  test('leaves no unread notification, and gives back the one that was unread when it is restored', async ({
    agent,
    note,
    teammates: { owner },
    workspaceId,
  }) => {
    const noor = await addTeammate(workspaceId, 'agent', 'Noor');
    await note.edit('@Noor and @Olivia Owen refund it.');
    await db().notification.updateMany({ where: { userId: owner.id }, data: { readAt: new Date() } });
    const unread = async () =>
      (await db().notification.findMany({ where: { workspaceId, kind: 'mentioned', readAt: null } })).map(
        ({ userId }) => userId,
      );
    expect(await unread()).toEqual([noor.id]);
    const remove = () => agent.notes.delete({ ...note.which, version: 1 });
    expect(await publishedTopics(workspaceId, remove)).toContain('notifications');
    expect(await unread()).toEqual([]);
    const restore = () => agent.notes.restore(note.which);
    expect(await publishedTopics(workspaceId, restore)).toContain('notifications');
    expect(await unread()).toEqual([noor.id]);
  });

  test('is not deleted by a page that does not show its newest text', async ({ agent, note }) => {
    await note.edit('Refund 20 euros.');
    await expect(agent.notes.delete({ ...note.which, version: 0 })).rejects.toThrow('before you delete it');
    expect(await note.shown()).toMatchObject({ isDeleted: false });
  });

  test('cannot be restored once its text was removed', async ({ agent, note }) => {
    await agent.notes.delete({ ...note.which, version: 0 });
    await db().noteVersion.deleteMany({ where: { noteId: note.which.noteId } });
    await expect(agent.notes.restore(note.which)).rejects.toThrow('no longer stored');
  });
});

describe('nobody else changes a note', () => {
  test.for(['owner', 'admin'] as const)('the %s is refused', async (role, { note, screensOf }) => {
    const { notes } = await screensOf(role);
    const { which } = note;
    await expect(notes.edit({ ...which, version: 0, content: 'Mine' })).rejects.toThrow(NOT_OWN);
    await expect(notes.delete({ ...which, version: 0 })).rejects.toThrow(NOT_OWN);
    await expect(notes.restore(which)).rejects.toThrow(NOT_OWN);
    expect(await note.shown()).toMatchObject({ content: 'Refund 10 euros.', version: 0 });
  });

  test('its author is refused as a viewer', async ({ note, teammates, workspaceId }) => {
    await db().member.updateMany({
      where: { workspaceId, userId: teammates.agent.id },
      data: { role: 'viewer' },
    });
    const { notes } = await (await signInTeammate(teammates.agent))();
    await expect(notes.edit({ ...note.which, version: 0, content: 'Two' })).rejects.toThrow(/[Vv]iewer/);
    await expect(notes.delete({ ...note.which, version: 0 })).rejects.toThrow(/[Vv]iewer/);
  });

  test('the author changes a note of their workflow, but not one of a program or a command', async ({
    screensOf,
    api,
    conversation,
    teammates: { owner },
    workspaceId,
  }) => {
    const { notes } = await screensOf('owner');
    const { body } = await api('POST', `/conversations/${conversation}/notes`, { content: 'By a workflow' });
    const { id: noteId } = body as { id: string };
    const which = { conversationId: conversation, noteId };
    await notes.edit({ ...which, version: 0, content: 'By me' });
    const own = { workspaceId, conversationId: conversation, authorId: owner.id, content: 'Of a program' };
    const program = await db().note.create({ data: { ...own, authorKind: 'program', programName: 'Sync' } });
    await expect(notes.delete({ ...which, noteId: program.id, version: 0 })).rejects.toThrow(NOT_OWN);
  });

  test('not even its author does in a merged, deleted or spam conversation, or through another one', async ({
    agent,
    conversation: id,
    note,
    workspaceId,
  }) => {
    const other = await db().conversation.create({ data: { workspaceId, channel: 'email' } });
    await expect(
      agent.notes.edit({ ...note.which, conversationId: other.id, version: 0, content: 'Two' }),
    ).rejects.toThrow('The note was not found.');
    const change = (data: object) => db().conversation.update({ where: { id }, data });
    await change({ removal: 'spam', removedAt: new Date() });
    await expect(note.edit('Two')).rejects.toThrow('marked as spam');
    await change({ removal: null, removedAt: null, mergedIntoId: other.id });
    await expect(note.edit('Two')).rejects.toThrow('merged into another one');
    await change({ mergedIntoId: null, status: 'closed' });
    await note.edit('Two');
  });
});
