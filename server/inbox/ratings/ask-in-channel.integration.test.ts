import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { rateByLink } from '#server/inbox/ratings/rate-conversation.ts';
import { ratingToken } from '#server/inbox/ratings/rating-link.ts';
import { test as baseTest } from '#test/fixtures/channel-test.ts';
import { connectNew } from '#test/fixtures/connect-new.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { until } from '#test/fixtures/until.ts';
import { withWorker } from '#test/fixtures/with-worker.ts';
import type { ProviderCall } from '#test/servers/provider-server.ts';

const test = baseTest
  .extend('settings', { scope: 'file' }, () => ({ RATING_REQUEST_DELAY: '0' }))
  .extend('respondUsually', { scope: 'file' }, () => respondAsProvider);

describe('a teammate solves a conversation and its contact receives a rating request', () => {
  test.for<Channel>(['telegram', 'slack', 'whatsapp', 'instagram', 'messenger'])(
    'on %s',
    async (channel, { provider }) => {
      const { id, workspaceId, teammate } = await solved(channel, { status: 'open' });
      const token = ratingToken({ workspaceId, conversationId: id });
      const actor = { kind: 'teammate', teammate } as const;
      await updateConversation({ workspaceId, id, actor, changes: { status: 'solved' } });
      await withWorker(() =>
        until('the provider received the rating request', () =>
          provider.calls.some(({ raw }) => raw.toString().includes(token)),
        ),
      );
    },
  );

  test('but not in the web chat, which shows the request on its page', async () => {
    const { id, workspaceId, teammate } = await solved('webchat', { status: 'open' });
    const actor = { kind: 'teammate', teammate } as const;
    await updateConversation({ workspaceId, id, actor, changes: { status: 'solved' } });
    expect((await queuedJobs()).filter(({ task }) => task === 'ask-for-rating')).toEqual([]);
  });
});

describe('a contact is asked for a rating on the channel of the conversation', () => {
  test.each<Channel>(['telegram', 'slack', 'whatsapp', 'instagram', 'messenger'])(
    'on %s',
    async (channel) => {
      const { id, workspaceId } = await solved(channel);
      await Promise.all([askForRating(id), askForRating(id), askForRating(id)]);
      const url = `http://inbox.test/rate/${ratingToken({ workspaceId, conversationId: id })}`;
      expect(await asked(id)).toMatchObject([
        { authorKind: 'automatic', sendStatus: 'queued', content: expect.stringContaining(url) },
      ]);
      expect(await askedAt(id)).toBeInstanceOf(Date);
    },
  );

  test.each<Channel>(['telegram', 'slack'])('after a week on %s, which has no window', async (channel) => {
    const { id } = await solved(channel, { lastReceivedAt: WEEK_AGO });
    await askForRating(id);
    expect(await asked(id)).toMatchObject([{ sendStatus: 'queued' }]);
  });

  test('the request is sent on the channel, and its link rates the conversation', async ({ provider }) => {
    const { id, workspaceId } = await solved('telegram');
    await askForRating(id);
    const [request] = await asked(id);
    if (!request) throw new Error('There is no rating request.');
    await sendQueuedMessage(request.id);
    expect(provider.calls.findLast(({ path }) => path.endsWith('/sendMessage'))?.body).toMatchObject({
      text: request.content,
    });
    expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({ status: 'solved' });
    await rateByLink({ token: ratingToken({ workspaceId, conversationId: id }), score: 5, comment: null });
    expect(await db().rating.count({ where: { conversationId: id } })).toBe(1);
  });
});

describe('no contact is asked', () => {
  test('when the channel was disconnected', async () => {
    const { id, workspaceId } = await solved('telegram');
    await db().channelAccount.updateMany({
      where: { workspaceId },
      data: { deletedAt: new Date(), credentials: null },
    });
    await askForRating(id);
    expect(await asked(id)).toEqual([]);
    expect(await askedAt(id)).toBeNull();
  });

  test('when the messaging window of the channel is closed', async () => {
    const { id } = await solved('whatsapp', { lastReceivedAt: WEEK_AGO });
    await askForRating(id);
    expect(await asked(id)).toEqual([]);
  });

  test.each<Channel>(['messenger', 'instagram'])(
    'after a day on %s, which then accepts only what a person writes',
    async (channel) => {
      const { id } = await solved(channel, { lastReceivedAt: new Date(Date.now() - 25 * 3_600_000) });
      await askForRating(id);
      expect(await asked(id)).toEqual([]);
      expect(await askedAt(id)).toBeNull();
    },
  );

  test('in the web chat, which asks on its page', async () => {
    const { id } = await solved('telegram');
    await db().conversation.update({ where: { id }, data: { channel: 'webchat' } });
    await askForRating(id);
    expect(await asked(id)).toEqual([]);
  });
});

describe('an unsubscribe link', () => {
  const declined = async (conversationId: string) =>
    (await db().contact.findFirstOrThrow({ where: { conversations: { some: { id: conversationId } } } }))
      .ratingsDeclinedAt;

  test('changes nothing when opened, and unsubscribes on a POST by its button or an email program', async ({
    service,
  }) => {
    const { id, workspaceId } = await solved('telegram');
    const token = ratingToken({ workspaceId, conversationId: id });
    expect(await call(service, token)).toMatchObject({
      status: 200,
      text: expect.stringContaining('<form method="post">'),
    });
    expect(await declined(id)).toBeNull();
    expect(await call(service, token, 'POST')).toMatchObject({ status: 200 });
    expect(await call(service, token, 'POST')).toMatchObject({ status: 200 });
    expect(await declined(id)).toBeInstanceOf(Date);
  });

  test('of an attacker, forged or changed, unsubscribes no one', async ({ service }) => {
    const { id, workspaceId } = await solved('telegram');
    const other = ratingToken({ workspaceId, conversationId: randomUUID() });
    const token = ratingToken({ workspaceId, conversationId: id });
    for (const forged of ['', 'x', id, other, `${token}A`, token.slice(1)]) {
      expect(await call(service, forged, 'POST')).toMatchObject({ status: 404 });
    }
    expect(await declined(id)).toBeNull();
  });
});

const WEEK_AGO = new Date(Date.now() - 7 * 86_400_000);

/** Creates a conversation on a channel with an account and one message of the contact. */
async function solved(
  channel: Channel,
  {
    lastReceivedAt = new Date(),
    status = 'solved',
  }: { lastReceivedAt?: Date; status?: 'open' | 'solved' } = {},
) {
  const account = await connectNew('telegram', {
    botToken: `${randomInt(1e9, 9e9)}:AAE-${'x'.repeat(30)}_1`,
  });
  const { id: channelAccountId, workspaceId } = account;
  if (channel !== 'telegram') {
    await db().channelAccount.update({ where: { id: channelAccountId }, data: { channel } });
  }
  const member = await db().member.findFirstOrThrow({ where: { workspaceId }, include: { user: true } });
  const { id: contactId } = await makeContact(workspaceId);
  await db().contactIdentity.create({
    data: { workspaceId, contactId, channel, scope: '', externalId: '447119999' },
  });
  const stage = { workspaceId, teammate: member.user };
  const id = await makeConversation(stage, {
    channel,
    channelAccountId,
    contactId,
    status,
    externalThreadId: '447119999',
  });
  await db().message.create({
    data: {
      workspaceId,
      conversationId: id,
      direction: 'inbound',
      authorKind: 'contact',
      content: 'Thanks',
      createdAt: lastReceivedAt,
    },
  });
  return { id, ...stage };
}

const asked = (conversationId: string) =>
  db().message.findMany({ where: { conversationId, direction: 'outbound' } });

const askedAt = async (id: string) =>
  (await db().conversation.findUniqueOrThrow({ where: { id } })).ratingAskedAt;

const call = async (service: { url: string }, token: string, method = 'GET') => {
  const headers = { 'x-forwarded-for': `10.${randomInt(250)}.${randomInt(250)}.${randomInt(250)}` };
  const response = await fetch(`${service.url}/unsubscribe/${token}`, { method, headers });
  return { status: response.status, text: await response.text() };
};

/** Returns the successful responses of each provider. */
function respondAsProvider({ path }: ProviderCall): object {
  const id = Number(/\/bot(\d+):/.exec(path)?.[1]);
  if (path.endsWith('/getMe')) return { ok: true, result: { id, is_bot: true, username: 'acme_bot' } };
  if (path === '/api/chat.postMessage') return { ok: true, channel: 'D1', ts: `1.${randomInt(1e6)}` };
  if (!path.startsWith('/bot')) {
    const messageId = randomUUID();
    return { messages: [{ id: messageId }], message_id: messageId, recipient_id: '447119999' };
  }
  const result = path.endsWith('/sendMessage')
    ? { message_id: randomInt(1e6), date: 1, chat: { id: 4711 } }
    : true;
  return { ok: true, result };
}
