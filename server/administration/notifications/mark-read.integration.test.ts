import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { test } from '#test/fixtures/service-test.ts';
import { signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

type Bell = Awaited<ReturnType<typeof bellOf>>;

test.for<[string, (bell: Bell, at: { id: string; conversationId: string }) => Promise<unknown>]>([
  ['one notification', (bell, { id }) => bell.markRead({ id })],
  ['all notifications', (bell) => bell.markAllRead({ until: new Date() })],
  ['those of a conversation', (bell, { conversationId }) => bell.markConversationRead({ conversationId })],
])('marking %s as read updates the count in other open pages, once', async ([_what, mark], { teammates }) => {
  const { workspaceId } = teammates;
  const bell = await bellOf(teammates);
  const at = await notify(teammates);
  expect(await publishedTopics(workspaceId, () => mark(bell, at))).toEqual(['notifications']);
  expect(await publishedTopics(workspaceId, () => mark(bell, at))).toEqual([]);
});

test('an open conversation also marks notifications as read that are only emailed', async ({ teammates }) => {
  const bell = await bellOf(teammates);
  expect(await bell.list()).toMatchObject({ newest: [], unread: 0, hasUnread: false });
  const { choices, muted } = await bell.preferences();
  await bell.savePreferences({ choices: { ...choices, bell: [], email: ['assigned'] }, muted, quiet: null });
  const { conversationId } = await notify(teammates);
  expect(await bell.list()).toMatchObject({ newest: [], unread: 0, hasUnread: true });
  await bell.markConversationRead({ conversationId });
  expect((await bell.list()).hasUnread).toBe(false);
});

/** Creates a notification of the agent about a new conversation. */
async function notify({ workspaceId, agent }: Teammates): Promise<{ id: string; conversationId: string }> {
  const conversationId = await makeConversation({ workspaceId, teammate: agent });
  const { id } = await db().notification.create({
    data: {
      workspaceId,
      userId: agent.id,
      kind: 'assigned',
      data: { byName: 'Olivia Owen' },
      conversationId,
    },
  });
  return { id, conversationId };
}

async function bellOf({ agent }: Teammates) {
  return (await (await signInTeammate(agent))()).notifications;
}
