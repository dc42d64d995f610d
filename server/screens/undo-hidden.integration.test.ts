import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { addTeammate, signInTeammate } from '#test/fixtures/teammates.ts';

/**
 * A conversation of the agent, who sees only assigned ones. `assign` assigns it to the owner as the agent, which hides it from them, and
 * returns the call that undoes this as some teammate.
 */
const test = screensTest
  .extend('id', async ({ teammates: { workspaceId, agent } }) => {
    await db().member.updateMany({ where: { workspaceId, role: 'agent' }, data: { onlyAssigned: true } });
    const id = await makeConversation({ workspaceId, teammate: agent });
    await db().conversation.update({ where: { id }, data: { assigneeId: agent.id, assignedAt: new Date() } });
    return id;
  })
  .extend('agent', async ({ teammates, id: _ }) => (await signInTeammate(teammates.agent))())
  .extend('assign', ({ teammates, id, agent }) => async () => {
    const change = { kind: 'assignee' as const, assigneeId: teammates.owner.id };
    const before = await agent.conversations.update({ id, changes: { assigneeId: change.assigneeId } });
    expect(await agent.conversations.get({ id })).toBeNull();
    return async (by: { email: string }) => {
      const { bulk } = await (await signInTeammate(by))();
      const { changed, skipped } = await bulk.undo({ before: [before], change });
      return skipped.map(({ problem }) => problem)[0] ?? changed.map((values) => values.id)[0];
    };
  });

const NOT_FOUND = 'The conversation was not found.';

describe('an assignment that hides the conversation from the teammate who made it', () => {
  test('is undone by them', async ({ teammates, id, agent, assign }) => {
    const undo = await assign();
    expect(await undo(teammates.agent)).toBe(id);
    expect((await agent.conversations.get({ id }))?.conversation.id).toBe(id);
  });

  test('cannot be undone by another teammate who does not see it', async ({ teammates, assign }) => {
    const undo = await assign();
    const other = await addTeammate(teammates.workspaceId, 'agent');
    await db().member.updateMany({ where: { userId: other.id }, data: { onlyAssigned: true } });
    expect(await undo(other)).toBe(NOT_FOUND);
  });

  test('cannot be undone after somebody assigned the conversation again', async ({
    teammates,
    id,
    assign,
    screensOf,
  }) => {
    const undo = await assign();
    const { conversations } = await screensOf('admin');
    await conversations.update({ id, changes: { assigneeId: teammates.admin.id } });
    expect(await undo(teammates.agent)).toBe(NOT_FOUND);
  });

  test('cannot be undone after five minutes', async ({ teammates, id, assign }) => {
    const undo = await assign();
    await db().timelineEntry.updateMany({
      where: { conversationId: id },
      data: { createdAt: new Date(Date.now() - 301_000) },
    });
    expect(await undo(teammates.agent)).toBe(NOT_FOUND);
  });
});

describe('a reply in a conversation that was hidden since', () => {
  test('is undone by its author, and by no one else who does not see it', async ({
    teammates,
    id,
    agent,
    assign,
  }) => {
    const replyId = randomUUID();
    await agent.composer.reply({ conversationId: id, id: replyId, content: 'Hello Ada' });
    await assign();
    const other = await addTeammate(teammates.workspaceId, 'agent');
    await db().member.updateMany({ where: { userId: other.id }, data: { onlyAssigned: true } });
    const { composer } = await (await signInTeammate(other))();
    await expect(composer.cancelReply({ id: replyId })).rejects.toThrow('Too late to undo');
    expect(await agent.composer.cancelReply({ id: replyId })).toMatchObject({ content: 'Hello Ada' });
  });

  test('cannot be undone by its author after five minutes', async ({ id, agent, assign }) => {
    const replyId = randomUUID();
    await agent.composer.reply({
      conversationId: id,
      id: replyId,
      content: 'Hello Ada',
      sendAt: new Date(Date.now() + 86_400_000),
    });
    await assign();
    await db().pendingReply.update({
      where: { id: replyId },
      data: { createdAt: new Date(Date.now() - 301_000) },
    });
    await expect(agent.composer.cancelReply({ id: replyId })).rejects.toThrow('Too late to undo');
  });
});
