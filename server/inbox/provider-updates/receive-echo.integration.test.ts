import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { receiveEcho } from '#server/inbox/provider-updates/receive-echo.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();

type Echo = Extract<ReceivedUpdate, { kind: 'echo' }>;

let account: ConnectedAccount;
let conversationId: string;
let stage: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  stage = await makeConnection();
  const { workspaceId } = stage;
  const row = await db().channelAccount.create({
    data: {
      workspaceId,
      channel: 'messenger',
      externalId: randomUUID(),
      name: 'Acme',
      credentials: Uint8Array.of(1),
    },
  });
  account = {
    id: row.id,
    workspaceId,
    channel: 'messenger',
    externalId: row.externalId,
    name: 'Acme',
    credentials: {},
    settings: {},
  };
  conversationId = await makeThread({ externalThreadId: 'thread' });
});

const makeThread = (columns: Parameters<typeof makeConversation>[1]) =>
  makeConversation(stage, { channel: 'messenger', channelAccountId: account.id, ...columns });
const echo = (given: Partial<Echo> = {}): Echo => ({
  kind: 'echo',
  externalId: `messenger:${randomUUID()}`,
  threadId: 'thread',
  content: 'Answered in the app',
  files: [],
  ...given,
});
const messages = (id = conversationId) => db().message.findMany({ where: { conversationId: id } });

describe('a reply sent in the provider’s app', () => {
  test('is added to its thread as sent, with its files and without an event', async () => {
    const file = {
      name: 'invoice.pdf',
      contentType: 'application/pdf',
      open: async () =>
        (async function* () {
          yield Buffer.from('What you owe');
        })(),
    };
    await receiveEcho(account, echo({ files: [file] }));
    expect(await messages()).toMatchObject([
      {
        direction: 'outbound',
        authorKind: 'teammate',
        authorId: null,
        authorName: 'Sent from Messenger',
        content: 'Answered in the app',
        sendStatus: 'sent',
        attachmentsCount: 1,
      },
    ]);
    expect(await db().attachment.count({ where: { message: { conversationId } } })).toBe(1);
    expect(await recordedEventsOf(stage.workspaceId, 'message.received')).toEqual([]);
    expect(await recordedEventsOf(stage.workspaceId, 'conversation.created')).toEqual([]);
  });

  test('is added once when the provider reports it repeatedly and in parallel', async () => {
    const echoed = echo();
    await Promise.all([
      receiveEcho(account, echoed),
      receiveEcho(account, echoed),
      receiveEcho(account, echoed),
    ]);
    await receiveEcho(account, echoed);
    expect(await messages()).toHaveLength(1);
  });

  test('is added to the newest conversation of its thread, or to its merge target', async () => {
    const newest = await makeThread({ externalThreadId: 'thread', createdAt: new Date() });
    await receiveEcho(account, echo());
    expect(await messages()).toEqual([]);
    expect(await messages(newest)).toHaveLength(1);
    await db().conversation.update({ where: { id: newest }, data: { mergedIntoId: conversationId } });
    await receiveEcho(account, echo());
    expect(await messages()).toHaveLength(1);
  });

  test('is ignored for a thread or account without a conversation', async () => {
    await receiveEcho(account, echo({ threadId: 'another' }));
    await receiveEcho({ ...account, id: randomUUID() }, echo());
    expect(await db().message.count({ where: { workspaceId: stage.workspaceId } })).toBe(0);
  });
});

describe('the echo of a message sent by the service', () => {
  const makeOurs = (columns: object) =>
    db().message.create({
      data: {
        workspaceId: stage.workspaceId,
        conversationId,
        direction: 'outbound',
        authorKind: 'teammate',
        content: 'Ours',
        ...columns,
      },
    });

  test('is ignored, also the echo of one of its parts', async () => {
    const first = echo();
    const second = echo();
    await makeOurs({
      sendStatus: 'sent',
      externalId: second.externalId,
      providerIds: [first.externalId, second.externalId],
    });
    await receiveEcho(account, first);
    await receiveEcho(account, second);
    expect(await messages()).toHaveLength(1);
  });

  test('is retried until the message’s id is known', async () => {
    const early = echo();
    const { id } = await makeOurs({ sendStatus: 'sending', sendStartedAt: new Date() });
    await expect(receiveEcho(account, early)).rejects.toThrow();
    await db().message.update({ where: { id }, data: { sendStatus: 'sent', externalId: early.externalId } });
    await receiveEcho(account, early);
    expect(await messages()).toHaveLength(1);
  });
});
