import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { screensFor } from '#server/screens/router.ts';
import { findSignedIn, switchWorkspace } from '#server/teammates/signed-in.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { failingHook, makeManagerNotifications, makeTeam } from '#test/fixtures/hook-notifications.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

const test = serviceTest.extend('inbox', ({ service }) => openInbox(service.url));

describe('the list of notifications', () => {
  test('shows the newest twenty and counts all unread ones', async ({
    inbox: { makeNotifications, bell },
  }) => {
    await makeNotifications(25);
    const { newest, unread } = await (await bell()).list();
    expect(unread).toBe(25);
    expect(newest.map(({ sentence }) => sentence)).toEqual(
      Array.from({ length: 20 }, (_, i) => `Number ${25 - i} assigned a conversation to you.`),
    );
  });

  test('includes read notifications, which are not counted', async ({
    inbox: { makeNotifications, bell },
  }) => {
    await makeNotifications(1, { readAt: new Date() });
    expect(await (await bell()).list()).toMatchObject({ newest: [{ isRead: true }], unread: 0 });
  });

  test('counts up to a hundred', async ({ inbox: { makeNotifications, bell } }) => {
    await makeNotifications(120);
    expect((await (await bell()).list()).unread).toBe(100);
  });

  test('links to the conversation by its name', async ({ inbox: { workspaceId, reader, bell } }) => {
    const conversationId = await makeConversation({ workspaceId, teammate: reader });
    const data = { messageId: conversationId };
    await db().notification.create({
      data: { workspaceId, userId: reader.id, kind: 'contact_wrote', conversationId, data },
    });
    expect((await (await bell()).list()).newest).toEqual([
      {
        id: expect.any(String),
        sentence: 'Ada Lovelace wrote in “Order”.',
        href: `/inbox?selected=${conversationId}`,
        createdAt: expect.any(Date),
        isRead: false,
      },
    ]);
  });

  test('names a deleted conversation only for admins', async ({ inbox: { workspaceId, reader, bell } }) => {
    const conversationId = await makeConversation({ workspaceId, teammate: reader });
    await db().notification.create({
      data: { workspaceId, userId: reader.id, kind: 'assigned', conversationId, data: { byName: 'Ada' } },
    });
    const actor = { kind: 'teammate' as const, teammate: reader };
    await removeConversation({ workspaceId, id: conversationId, to: 'deleted', actor });
    expect((await (await bell()).list()).newest).toMatchObject([
      { sentence: 'Ada assigned a conversation to you.', href: null },
    ]);
    await db().member.updateMany({ where: { userId: reader.id }, data: { role: 'admin' } });
    expect((await (await bell()).list()).newest).toMatchObject([
      { sentence: 'Ada assigned “Order” to you.', href: `/inbox?selected=${conversationId}` },
    ]);
  });

  test('links to the integrations for a hook, with its trigger and the teammate who connected it', async ({
    inbox: { workspaceId },
  }) => {
    const connection = await makeConnection({ workspaceId });
    const hook = await makeHook(connection, { event: 'conversation.tagged', tag: 'VIP', filterKey: 'vip' });
    const content = failingHook(hook.id);
    await makeManagerNotifications(workspaceId, content);
    const { notifications } = await (await signInTeammate(connection.teammate))();
    expect((await notifications.list()).newest).toMatchObject([
      {
        sentence:
          '25 events in a row failed for a workflow: New Conversation (VIP), connected by Olivia Owen.',
        href: '/settings/integrations',
      },
    ]);
  });

  test('shows a kind that only a newer version knows without a link', async ({
    inbox: { workspaceId, reader, bell },
  }) => {
    await db().notification.create({ data: { workspaceId, userId: reader.id, kind: 'from_the_future' } });
    expect((await (await bell()).list()).newest).toMatchObject([
      { sentence: 'There is an update to a conversation.', href: null },
    ]);
  });
});

describe('marking as read', () => {
  const readOf = async (bell: Bell) => {
    const { newest } = await (await bell()).list();
    return newest.map(({ isRead }) => isRead);
  };

  test('one notification leaves the others unread', async ({ inbox: { makeNotifications, bell } }) => {
    await makeNotifications(3);
    const { newest } = await (await bell()).list();
    await (await bell()).markRead({ id: newest[1]?.id ?? '' });
    expect(await readOf(bell)).toEqual([false, true, false]);
    expect((await (await bell()).list()).unread).toBe(2);
  });

  test('one notification again keeps the original time', async ({
    inbox: { makeNotifications, bell, workspaceId },
  }) => {
    const readAt = new Date('2026-11-21T13:00:00.000Z');
    await makeNotifications(1, { readAt });
    const { newest } = await (await bell()).list();
    await (await bell()).markRead({ id: newest[0]?.id ?? '' });
    expect(await db().notification.findMany({ where: { workspaceId } })).toMatchObject([{ readAt }]);
  });

  test('all notifications includes those not shown and excludes later ones', async ({
    inbox: { makeNotifications, bell, workspaceId, reader },
  }) => {
    await makeNotifications(25);
    const { newest } = await (await bell()).list();
    await db().notification.create({
      data: { workspaceId, userId: reader.id, kind: 'assigned', data: { byName: 'Late' } },
    });
    await (await bell()).markAllRead({ until: newest[0]?.createdAt ?? new Date(0) });
    expect((await (await bell()).list()).unread).toBe(1);
    expect((await readOf(bell))[0]).toBe(false);
  });

  test('all notifications includes one whose timestamp has microseconds', async ({
    inbox: { makeNotifications, reader, bell },
  }) => {
    await makeNotifications(1);
    await db().$executeRaw`update notifications set created_at = created_at + interval '999 microseconds'
      where user_id = ${reader.id}::uuid`;
    const { newest } = await (await bell()).list();
    await (await bell()).markAllRead({ until: newest[0]?.createdAt ?? new Date(0) });
    expect(await readOf(bell)).toEqual([true]);
  });

  test('an invalid id changes nothing', async ({ inbox: { makeNotifications, bell } }) => {
    await makeNotifications(1);
    await (await bell()).markRead({ id: 'no-such' });
    expect(await readOf(bell)).toEqual([false]);
  });
});

describe('an attacker cannot see or change notifications', () => {
  test('of a colleague in the same workspace', async ({
    inbox: { workspaceId, makeNotifications, bell },
  }) => {
    const colleague = await makeUser('Colin Colleague');
    await addMember(workspaceId, colleague.id, 'agent');
    await makeNotifications(2, { userId: colleague.id });
    const theirs = await db().notification.findMany({ where: { userId: colleague.id } });
    expect(await (await bell()).list()).toMatchObject({ newest: [], unread: 0 });
    for (const { id } of theirs) await (await bell()).markRead({ id });
    await (await bell()).markAllRead({ until: new Date() });
    expect(await db().notification.count({ where: { userId: colleague.id, readAt: null } })).toBe(2);
  });

  test('of their own in a workspace that is not open', async ({
    inbox: { reader, makeNotifications, bell, headers },
  }) => {
    const { workspaceId: other } = await makeTeam(['owner']);
    await addMember(other, reader.id, 'agent');
    await makeNotifications(2, { workspaceId: other });
    expect(await (await bell()).list()).toMatchObject({ newest: [], unread: 0 });
    await (await bell()).markAllRead({ until: new Date() });
    const signedIn = await findSignedIn(headers);
    if (signedIn) await switchWorkspace(signedIn, other);
    expect((await (await bell()).list()).unread).toBe(2);
  });

  test('without a session', async () => {
    const { list, markRead, markAllRead } = (await screensFor(new Headers())).notifications;
    await expect(list()).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    await expect(markRead({ id: 'x' })).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    await expect(markAllRead({ until: new Date() })).rejects.toMatchObject({
      cause: { refusal: 'forbidden' },
    });
  });
});

type Bell = Awaited<ReturnType<typeof openInbox>>['bell'];

/** Creates a workspace with a reader who is signed in, and returns functions that add and read notifications. */
async function openInbox(url: string) {
  const { workspaceId } = await makeTeam(['owner']);
  const reader = await makeUser('Rita Reader');
  await addMember(workspaceId, reader.id, 'agent');
  const headers = new Headers({ cookie: await signInAs(url, reader) });
  const bell = async () => (await screensFor(headers)).notifications;

  /** Creates notifications one second apart, for the reader unless `columns` says otherwise. */
  async function makeNotifications(
    count: number,
    columns: { userId?: string; workspaceId?: string; readAt?: Date } = {},
  ): Promise<void> {
    const start = new Date('2026-11-21T12:00:00.000Z').getTime();
    await db().notification.createMany({
      data: Array.from({ length: count }, (_, i) => ({
        workspaceId,
        userId: reader.id,
        kind: 'assigned',
        data: { byName: `Number ${i + 1}` },
        createdAt: new Date(start + i * 1000),
        ...columns,
      })),
    });
  }

  return { reader, workspaceId, headers, bell, makeNotifications };
}
