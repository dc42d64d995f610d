import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { takeEcho } from '#server/inbox/provider-updates/receive-echo.ts';
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

describe('what somebody answered in the app of the provider', () => {
  test('is in its thread as sent, with its files, and fires nothing', async () => {
    const file = {
      name: 'invoice.pdf',
      contentType: 'application/pdf',
      open: async () =>
        (async function* () {
          yield Buffer.from('What you owe');
        })(),
    };
    await takeEcho(account, echo({ files: [file] }));
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

  test('is there once, however often and at once the provider reports it', async () => {
    const echoed = echo();
    await Promise.all([takeEcho(account, echoed), takeEcho(account, echoed), takeEcho(account, echoed)]);
    await takeEcho(account, echoed);
    expect(await messages()).toHaveLength(1);
  });

  test('goes to the newest conversation of its thread, and on to the one that was merged into', async () => {
    const newest = await makeThread({ externalThreadId: 'thread', createdAt: new Date() });
    await takeEcho(account, echo());
    expect(await messages()).toEqual([]);
    expect(await messages(newest)).toHaveLength(1);
    await db().conversation.update({ where: { id: newest }, data: { mergedIntoId: conversationId } });
    await takeEcho(account, echo());
    expect(await messages()).toHaveLength(1);
  });

  test('of a thread or account that has no conversation is ignored', async () => {
    await takeEcho(account, echo({ threadId: 'another' }));
    await takeEcho({ ...account, id: randomUUID() }, echo());
    expect(await db().message.count({ where: { workspaceId: stage.workspaceId } })).toBe(0);
  });
});

describe('the echo of a message of ours', () => {
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

  test('is none, also of one of its parts', async () => {
    const first = echo();
    const second = echo();
    await makeOurs({
      sendStatus: 'sent',
      externalId: second.externalId,
      providerIds: [first.externalId, second.externalId],
    });
    await takeEcho(account, first);
    await takeEcho(account, second);
    expect(await messages()).toHaveLength(1);
  });

  test('that comes before its id is known waits until it is', async () => {
    const early = echo();
    const { id } = await makeOurs({ sendStatus: 'sending', sendStartedAt: new Date() });
    await expect(takeEcho(account, early)).rejects.toThrow();
    await db().message.update({ where: { id }, data: { sendStatus: 'sent', externalId: early.externalId } });
    await takeEcho(account, early);
    expect(await messages()).toHaveLength(1);
  });
});
