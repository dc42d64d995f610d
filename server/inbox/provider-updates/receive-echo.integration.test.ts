import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { createFlow } from '#server/inbox/flows/change-flows.ts';
import { runCausedFlows } from '#server/inbox/flows/run-caused-flows.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { receiveEcho } from '#server/inbox/provider-updates/receive-echo.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { FLOW_FORM } from '#test/fixtures/flow-form.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const ON_REPLY = {
  trigger: 'replied',
  channels: [],
  words: '',
  emailDomain: '',
  tags: '',
  status: 'pending',
};

const test = serviceTest.extend('thread', ({ connection }) => makeAccountWithThread(connection));

describe('a reply sent in the provider’s app', () => {
  test('is added to its thread as sent, with its files and without an event', async ({
    connection,
    thread,
  }) => {
    const file = {
      name: 'invoice.pdf',
      contentType: 'application/pdf',
      open: async () =>
        (async function* () {
          yield Buffer.from('What you owe');
        })(),
    };
    const where = { id: thread.conversationId };
    await db().conversation.update({ where, data: { waitingSince: new Date() } });
    await receive(thread.account, echo({ files: [file] }));
    expect(await db().conversation.findUniqueOrThrow({ where })).toMatchObject({ waitingSince: null });
    expect(await messages(thread.conversationId)).toMatchObject([
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
    expect(
      await db().attachment.count({ where: { message: { conversationId: thread.conversationId } } }),
    ).toBe(1);
    expect(await recordedEventsOf(connection.workspaceId, 'message.received')).toEqual([]);
    expect(await recordedEventsOf(connection.workspaceId, 'conversation.created')).toEqual([]);
  });

  test('stops the first response clock and silences the AI agent, as a reply from the inbox does', async ({
    connection: { workspaceId },
    thread: { account, conversationId },
  }) => {
    const startedAt = new Date();
    await db().slaClock.create({
      data: { workspaceId, conversationId, kind: 'first_response', startedAt, dueAt: startedAt },
    });
    const echoed = echo();
    await receive(account, echoed);
    expect(await db().slaClock.findFirst({ where: { conversationId } })).toMatchObject({
      stoppedAt: expect.any(Date),
    });
    const where = { id: conversationId };
    expect(await db().conversation.findUnique({ where })).toMatchObject({ aiAgentSilenced: true });
    // A repeated report changes nothing: a teammate may have turned the agent on again.
    await db().conversation.update({ where, data: { aiAgentSilenced: false } });
    await receive(account, echoed);
    expect(await db().conversation.findUnique({ where })).toMatchObject({ aiAgentSilenced: false });
  });

  test('starts automations on replies, as a reply from the inbox does', async ({
    connection: { workspaceId, teammate: by },
    thread: { account, conversationId },
  }) => {
    await createFlow({ workspaceId, by, ...FLOW_FORM, ...ON_REPLY });
    await receive(account, echo());
    const { id: causeId } = await db().flowCause.findFirstOrThrow({ where: { workspaceId } });
    await runCausedFlows({ causeId });
    const where = { id: conversationId };
    expect(await db().conversation.findUnique({ where })).toMatchObject({ status: 'pending' });
  });

  test('is added once when the provider reports it repeatedly and in parallel', async ({ thread }) => {
    const echoed = echo();
    await Promise.all([
      receive(thread.account, echoed),
      receive(thread.account, echoed),
      receive(thread.account, echoed),
    ]);
    await receive(thread.account, echoed);
    expect(await messages(thread.conversationId)).toHaveLength(1);
  });

  test('is added to the newest conversation of its thread, or to its merge target', async ({
    connection,
    thread,
  }) => {
    const newest = await makeThread(connection, thread.account, {
      externalThreadId: 'thread',
      createdAt: new Date(),
    });
    await receive(thread.account, echo());
    expect(await messages(thread.conversationId)).toEqual([]);
    expect(await messages(newest)).toHaveLength(1);
    await db().conversation.update({ where: { id: newest }, data: { mergedIntoId: thread.conversationId } });
    await receive(thread.account, echo());
    expect(await messages(thread.conversationId)).toHaveLength(1);
  });

  test('is ignored for a thread or account without a conversation', async ({ connection, thread }) => {
    await receive(thread.account, echo({ threadId: 'another' }));
    await receive({ ...thread.account, id: randomUUID() }, echo());
    expect(await db().message.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
  });
});

describe('the echo of a message sent by the service', () => {
  test('is ignored, as is the echo of one of its parts', async ({ connection, thread }) => {
    const first = echo();
    const second = echo();
    await makeOurs(connection, thread, {
      sendStatus: 'sent',
      externalId: second.externalId,
      providerIds: [first.externalId, second.externalId],
    });
    await receive(thread.account, first);
    await receive(thread.account, second);
    expect(await messages(thread.conversationId)).toHaveLength(1);
  });

  test('is retried until the message’s id is known', async ({ connection, thread }) => {
    const early = echo();
    const { id } = await makeOurs(connection, thread, { sendStatus: 'sending', sendStartedAt: new Date() });
    await expect(receive(thread.account, early)).rejects.toThrow();
    await db().message.update({ where: { id }, data: { sendStatus: 'sent', externalId: early.externalId } });
    await receive(thread.account, early);
    expect(await messages(thread.conversationId)).toHaveLength(1);
  });

  test.for(['an older conversation', 'the merge target of an older conversation'])(
    'is retried while the message is being sent from %s of its thread',
    async (from, { connection, thread }) => {
      const { account, conversationId: older } = thread;
      const newest = await makeThread(connection, account, {
        externalThreadId: 'thread',
        createdAt: new Date(),
      });
      const target = await makeConversation(connection);
      const isMerged = from !== 'an older conversation';
      if (isMerged) await db().conversation.update({ where: { id: older }, data: { mergedIntoId: target } });
      const { id } = await makeOurs(
        connection,
        { conversationId: isMerged ? target : older },
        { sendStatus: 'sending', sendStartedAt: new Date() },
      );
      const early = echo();
      await expect(receive(account, early)).rejects.toThrow('has not arrived yet');
      await recordOutcome(id, { status: 'sent', externalId: early.externalId });
      await receive(account, early);
      expect(await messages(newest)).toEqual([]);
    },
  );

  test('does not wait for messages being sent to other threads', async ({ connection, thread }) => {
    const other = await makeThread(connection, thread.account, { externalThreadId: 'another' });
    await makeOurs(
      connection,
      { conversationId: other },
      { sendStatus: 'sending', sendStartedAt: new Date() },
    );
    await receive(thread.account, echo());
    expect(await messages(thread.conversationId)).toHaveLength(1);
  });
});

const receive = (account: ConnectedAccount, echoed: Echo) =>
  receiveEcho(account, echoed, { isLastAttempt: false });

type Echo = Extract<ReceivedUpdate, { kind: 'echo' }>;

const echo = (fields: Partial<Echo> = {}): Echo => ({
  kind: 'echo',
  externalId: `messenger:${randomUUID()}`,
  threadId: 'thread',
  content: 'Answered in the app',
  files: [],
  ...fields,
});

const messages = (id: string) => db().message.findMany({ where: { conversationId: id } });

const makeOurs = (
  { workspaceId }: { workspaceId: string },
  thread: { conversationId: string },
  columns: object,
) =>
  db().message.create({
    data: {
      workspaceId,
      conversationId: thread.conversationId,
      direction: 'outbound',
      authorKind: 'teammate',
      content: 'Ours',
      ...columns,
    },
  });

type Stage = Parameters<typeof makeConversation>[0];

async function makeAccountWithThread(stage: Stage) {
  const { workspaceId } = stage;
  const { id, externalId } = await db().channelAccount.create({
    data: {
      workspaceId,
      channel: 'messenger',
      externalId: randomUUID(),
      name: 'Acme',
      credentials: Uint8Array.of(1),
    },
  });
  const account: ConnectedAccount = {
    id,
    workspaceId,
    channel: 'messenger',
    externalId,
    name: 'Acme',
    credentials: {},
    sealed: null,
    webhookCalledAt: null,
    settings: {},
  };
  return { account, conversationId: await makeThread(stage, account, { externalThreadId: 'thread' }) };
}

const makeThread = (
  stage: Stage,
  account: ConnectedAccount,
  columns: Parameters<typeof makeConversation>[1],
) => makeConversation(stage, { channel: 'messenger', channelAccountId: account.id, ...columns });
