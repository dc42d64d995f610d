import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import { storeFile } from '#server/inbox/files/store-file.ts';
import { NotYet } from '#server/inbox/messages/edit-message.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { accountRow, age, graphError, type MetaAccount, messagesIn, replyIn } from '#test/fixtures/meta.ts';
import { replyWithFile } from '#test/fixtures/stored-files.ts';
import {
  ADA,
  change,
  cloudApi,
  statusOf,
  test,
  type Whatsapp,
  wamid,
  webhook,
  written,
} from '#test/fixtures/whatsapp-test.ts';
import type { ProviderServer } from '#test/servers/provider-server.ts';

describe('a reply', () => {
  test('is sent from the number to the contact, and its status is sent', async ({ whatsapp }) => {
    const account = await begin(whatsapp);
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent', delivery_error: null });
    expect(whatsapp.sends().at(-1)).toMatchObject({
      path: expect.stringMatching(new RegExp(`^/v\\d+\\.0/${account.externalId}/messages$`)),
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: ADA,
        type: 'text',
        text: { body: 'On its way.' },
      },
    });
  });

  test('of more than 4096 characters is split and sent in order, and fails with the number of parts that arrived', async ({
    provider,
    whatsapp,
  }) => {
    const account = await begin(whatsapp);
    const lines = Array.from({ length: 100 }, (_, number) => `Line ${number} ${'x'.repeat(50)}`).join('\n');
    expect(await replyIn(account, lines)).toMatchObject({ send_status: 'sent' });
    const texts = whatsapp.sends().map(({ body }) => (body.text as { body: string }).body);
    expect(texts.join('\n')).toBe(lines);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(4096);
    let sent = 0;
    provider.respond((asked) => {
      if (asked.path.endsWith('/messages')) sent += 1;
      const isRefused = asked.path.endsWith('/messages') && sent > 1;
      return isRefused ? { status: 400, json: graphError(131026) } : { json: cloudApi(asked) ?? {} };
    });
    expect(await replyIn(account, lines)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('1 of its 2 parts arrived'),
    });
  });

  test('after 24 hours fails with an explanation, without calling WhatsApp', async ({ whatsapp }) => {
    const account = await begin(whatsapp);
    await age(account, 25);
    expect(await replyIn(account)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('more than 24 hours ago'),
    });
    expect(whatsapp.sends()).toEqual([]);
  });

  test('in a new conversation of a thread has its window start at the contact’s last message in the thread', async ({
    whatsapp,
  }) => {
    const account = await begin(whatsapp);
    await age(account, 25);
    await db().conversation.updateMany({
      where: { workspaceId: account.workspaceId },
      data: { status: 'closed' },
    });
    await whatsapp.receive(account, written(account));
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent' });
  });

  test.for([
    [131047, 'only approved templates', 400],
    [470, 'only approved templates', 400],
    [131026, 'cannot deliver to this contact', 400],
    [131056, 'accepts no more messages', 400],
    [131048, 'quality of the number', 400],
    [130429, 'accepts no more messages', 429],
    [131000, 'has an internal error', 500],
    [131053, 'could not use the file', 400],
    [10, 'lacks a permission', 403],
    [999999, 'did not accept the message: What WhatsApp says.', 400],
  ] as const)(
    'that WhatsApp rejects with %i fails with an explanation',
    async ([code, sentence, status], { whatsapp }) => {
      const account = await begin(whatsapp);
      whatsapp.refuseSends(code, { details: 'What WhatsApp says.' }, status);
      expect(await replyIn(account)).toMatchObject({
        send_status: 'failed',
        delivery_error: expect.stringContaining(sentence),
      });
      expect((await accountRow(account)).status).toBe('connected');
    },
  );

  test('with an expired token sets the account to "Needs to be connected again", and notifies owners and admins once', async ({
    whatsapp,
  }) => {
    const account = await begin(whatsapp);
    whatsapp.refuseSends(190, { subcode: 463 }, 401);
    for (let time = 0; time < 2; time += 1) {
      expect(await replyIn(account)).toMatchObject({
        delivery_error: expect.stringContaining('needs to be connected again'),
      });
    }
    expect((await accountRow(account)).status).toBe('reconnect_needed');
    const where = { workspaceId: account.workspaceId, kind: 'channel_reconnect' };
    expect(await db().notification.count({ where })).toBe(1);
  });

  test('fails when WhatsApp does not respond, or responds without JSON: it may have arrived', async ({
    provider,
    whatsapp,
  }) => {
    const account = await begin(whatsapp);
    provider.respond((asked) =>
      asked.path.endsWith('/messages') ? { status: 502, bytes: Buffer.from('<html>') } : { json: {} },
    );
    expect(await replyIn(account)).toMatchObject({
      delivery_error: expect.stringContaining('may not have received it'),
    });
    provider.respond(() => 'hang');
    expect(await replyIn(account)).toMatchObject({ delivery_error: expect.stringContaining('in time') });
  });

  test.for([
    ['image/png', 'image'],
    ['application/pdf', 'document'],
    ['video/mp4', 'video'],
    ['audio/mpeg', 'audio'],
  ] as const)('is sent with its files: %s as %s', async ([contentType, type], { provider, whatsapp }) => {
    const account = await begin(whatsapp);
    const { workspaceId } = account;
    const { id } = await replyIn(account);
    const source = (async function* () {
      yield Buffer.from(contentType === 'image/png' ? '89504e470d0a1a0a' : '00', 'hex');
    })();
    const file = await storeFile(workspaceId, { name: 'a file', contentType, source });
    await inTransaction((tx) =>
      linkFiles(tx, { workspaceId, messageId: id, files: [file], now: new Date() }),
    );
    await db().message.update({
      where: { id },
      data: { sendStatus: 'sending', sendStartedAt: new Date(), externalId: null },
    });
    expect(await sendMessage(id)).toMatchObject({ status: 'sent' });
    const upload = provider.calls.find(({ path }) => path.endsWith('/media'));
    const sent = upload?.body.file;
    expect(sent instanceof File && sent.size).toBe(contentType === 'image/png' ? 8 : 1);
    expect(whatsapp.sends().at(-1)?.body).toMatchObject({ type, [type]: { id: '4490709327384033' } });
  });

  test('without text sends only its file', async ({ whatsapp }) => {
    const account = await begin(whatsapp);
    expect(await replyWithFile(account, { name: 'bill.pdf', contentType: 'application/pdf' })).toMatchObject({
      content: '',
      send_status: 'sent',
    });
    expect(whatsapp.sends().map(({ body }) => body.type)).toEqual(['document']);
  });

  describe('whose status arrives later', () => {
    test('as failed after sent gets a delivery_error, notifies its author once, and stays failed', async ({
      provider,
      whatsapp,
    }) => {
      const account = await begin(whatsapp);
      const sent = recordSent(provider);
      expect(await replyIn(account)).toMatchObject({ send_status: 'sent' });
      const status = { id: sent.lastId, status: 'failed', errors: [failed] };
      for (let time = 0; time < 2; time += 1)
        await whatsapp.receive(account, statusOf(account, { ...status, n: time }));
      for (const late of ['read', 'delivered', 'sent']) {
        await whatsapp.receive(account, statusOf(account, { id: sent.lastId, status: late }));
      }
      expect(await outgoing(account)).toMatchObject({
        sendStatus: 'failed',
        deliveryError: expect.stringContaining('cannot deliver to this contact'),
      });
      const where = { workspaceId: account.workspaceId, userId: account.by.id, kind: 'message_failed' };
      expect(await db().notification.count({ where })).toBe(1);
    });

    test('as delivered, read or sent, in any order, stays sent', async ({ provider, whatsapp }) => {
      const account = await begin(whatsapp);
      const sent = recordSent(provider);
      await replyIn(account);
      for (const status of ['read', 'sent', 'delivered']) {
        await whatsapp.receive(account, statusOf(account, { id: sent.lastId, status }));
      }
      expect(await outgoing(account)).toMatchObject({ sendStatus: 'sent', deliveryError: null });
    });
  });
});

test.for([1, 2])(
  'a reply of two parts is sent again completely when WhatsApp accepted %i of them and did not deliver the first',
  async (accepted, { provider, whatsapp }) => {
    const account = await begin(whatsapp);
    const { workspaceId, by } = account;
    provider.respond((asked) =>
      asked.path.endsWith('/messages') && whatsapp.sends().length > accepted
        ? { status: 400, json: graphError(131026) }
        : { json: cloudApi(asked) ?? {} },
    );
    const { id } = await replyIn(account, 'x'.repeat(5_000));
    const { conversationId, providerIds } = await db().message.findUniqueOrThrow({ where: { id } });
    expect(providerIds).toHaveLength(accepted);
    const first = providerIds[0]?.split(':').at(-1) ?? '';
    await whatsapp.receive(account, statusOf(account, { id: first, status: 'failed', errors: [failed] }));
    provider.respond((asked) => ({ json: cloudApi(asked) ?? {} }));
    const before = whatsapp.sends().length;
    await resendMessage({ workspaceId, conversationId, messageId: id, by });
    await sendQueuedMessage(id);
    expect(whatsapp.sends().length - before).toBe(2);
    expect(await outgoing(account)).toMatchObject({ sendStatus: 'sent', deliveryError: null });
  },
);

test('a status about an earlier attempt waits while the reply is sent again, and then counts', async ({
  provider,
  whatsapp,
}) => {
  const account = await begin(whatsapp);
  const { workspaceId, by } = account;
  provider.respond((asked) =>
    asked.path.endsWith('/messages') && whatsapp.sends().length > 1
      ? { status: 400, json: graphError(131026) }
      : { json: cloudApi(asked) ?? {} },
  );
  const { id } = await replyIn(account, 'x'.repeat(5_000));
  const { conversationId, providerIds } = await db().message.findUniqueOrThrow({ where: { id } });
  provider.respond((asked) => ({ json: cloudApi(asked) ?? {} }));
  await resendMessage({ workspaceId, conversationId, messageId: id, by });
  const report = { workspaceId, channelAccountId: account.id, providerId: providerIds[0] ?? '' };
  const failing = () => recordStatus({ ...report, status: 'failed', reason: 'It was not delivered.' });
  await expect(failing()).rejects.toThrow(NotYet);
  await sendQueuedMessage(id);
  expect(await outgoing(account)).toMatchObject({ sendStatus: 'sent' });
  await failing();
  expect(await outgoing(account)).toMatchObject({ sendStatus: 'failed' });
});

test('a message from the WhatsApp Business app is stored once, as an outgoing message', async ({
  whatsapp,
}) => {
  const account = await whatsapp.connect();
  await whatsapp.receive(account, written(account));
  const echo = {
    from: '15550100100',
    to: ADA,
    id: wamid(),
    timestamp: '1',
    type: 'text',
    text: { body: 'Yes.' },
  };
  const body = webhook(change(account, { message_echoes: [echo] }, 'smb_message_echoes'));
  for (let time = 0; time < 3; time += 1) await whatsapp.receive(account, body);
  expect((await messagesIn(account)).map(({ direction, content }) => [direction, content])).toEqual([
    ['inbound', 'Does it come in another color?'],
    ['outbound', 'Yes.'],
  ]);
});

/** Connects a number and receives a message of Ada. */
async function begin(whatsapp: Whatsapp) {
  const account = await whatsapp.connect();
  await whatsapp.receive(account, written(account));
  return account;
}

/** Records the id of the last sent message. */
function recordSent(provider: ProviderServer) {
  const sent = { lastId: '' };
  provider.respond((asked) => {
    const json = cloudApi(asked) ?? {};
    if (asked.path.endsWith('/messages')) {
      sent.lastId = (json as { messages: { id: string }[] }).messages[0]?.id ?? '';
    }
    return { json };
  });
  return sent;
}

const outgoing = async (account: MetaAccount) =>
  (await messagesIn(account)).find(({ direction }) => direction === 'outbound');

const failed = {
  code: 131026,
  title: 'Message undeliverable',
  error_data: { details: 'Undeliverable.' },
};
