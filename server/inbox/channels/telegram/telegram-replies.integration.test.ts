import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { disconnectAccount } from '#server/inbox/channels/accounts/disconnect-account.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { testAccount } from '#server/inbox/channels/accounts/test-account.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import { storeFile } from '#server/inbox/files/store-file.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { addMember, makeUser } from '#test/fixtures/factories.ts';
import { replyWithFile } from '#test/fixtures/stored-files.ts';
import { accountOf, botApi, test } from '#test/fixtures/telegram-test.ts';
import { timed } from '#test/fixtures/timed.ts';

describe('a reply', () => {
  test('is sent as a message from the bot into the chat, and its status is sent', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const reply = await telegram.beginAndReply(bot);
    expect(reply).toMatchObject({ send_status: 'sent', delivery_error: null });
    expect(provider.calls.at(-1)).toMatchObject({
      path: `/bot${bot.botToken}/sendMessage`,
      body: { chat_id: '4711', text: 'On its way.' },
    });
    const message = await db().message.findUniqueOrThrow({ where: { id: reply.id } });
    expect(message.externalId).toMatch(/^telegram:\d+:4711:\d+$/);
    expect((await accountOf(bot)).lastSentAt).not.toBeNull();
  });

  test('of more than 4096 characters is split at lines and sent in order', async ({ provider, telegram }) => {
    const bot = await telegram.connectBot();
    const lines = Array.from({ length: 150 }, (_, number) => `Line ${number} ${'x'.repeat(50)}`);
    await telegram.beginAndReply(bot, lines.join('\n'));
    const texts = provider.calls
      .filter(({ path }) => path.endsWith('/sendMessage'))
      .map(({ body }) => String(body.text));
    expect(texts.length).toBeGreaterThan(2);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(4096);
    expect(texts.join('\n')).toBe(lines.join('\n'));
  });

  test('fails when Telegram rejects a part, and says how many parts arrived', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    let parts = 0;
    provider.respond((asked) => {
      if (asked.path.endsWith('/sendMessage')) parts += 1;
      if (!asked.path.endsWith('/sendMessage') || parts < 2) return { json: botApi(asked) ?? {} };
      return {
        status: 400,
        json: { ok: false, error_code: 400, description: 'Bad Request: message is too long' },
      };
    });
    const reply = await telegram.beginAndReply(bot, 'x'.repeat(5_000));
    expect(reply).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('1 of its 2 parts arrived'),
    });
  });

  test('that is sent again repeats no part that arrived', async ({ provider, telegram }) => {
    const bot = await telegram.connectBot();
    const texts: string[] = [];
    let failing = ['b'];
    provider.respond((asked) => {
      if (!asked.path.endsWith('/sendMessage')) return { json: botApi(asked) ?? {} };
      const text = String(asked.body.text).charAt(0);
      texts.push(text);
      if (!failing.includes(text)) return { json: botApi(asked) ?? {} };
      return { status: 500, json: { ok: false, error_code: 500, description: 'Internal Server Error' } };
    });
    const { id } = await telegram.beginAndReply(bot, ['a', 'b', 'c'].map((x) => x.repeat(4_096)).join('\n'));
    const sendAgain = async () => {
      const { workspaceId, by } = bot;
      const { conversationId } = await db().message.findUniqueOrThrow({ where: { id } });
      await resendMessage({ workspaceId, conversationId, messageId: id, by });
      await sendQueuedMessage(id);
      return db().message.findUniqueOrThrow({ where: { id } });
    };
    failing = ['c'];
    expect(await sendAgain()).toMatchObject({
      sendStatus: 'failed',
      deliveryError: expect.stringContaining('2 of its 3 parts arrived'),
    });
    failing = [];
    const sent = await sendAgain();
    expect(sent).toMatchObject({ sendStatus: 'sent', externalId: sent.providerIds[2] });
    expect(new Set(sent.providerIds).size).toBe(3);
    expect(texts.join('')).toBe('ab' + 'bc' + 'c');
  });

  test('to a contact who has blocked the bot fails with an explanation', async ({ provider, telegram }) => {
    const bot = await telegram.connectBot();
    provider.respond((asked) =>
      asked.path.endsWith('/sendMessage')
        ? {
            status: 403,
            json: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' },
          }
        : { json: botApi(asked) ?? {} },
    );
    expect(await telegram.beginAndReply(bot)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('has blocked the bot'),
    });
    expect(await accountOf(bot)).toMatchObject({ status: 'connected' });
  });

  test('with a revoked token sets the account to "Needs to be connected again", and notifies owners and admins once', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const admin = await makeUser();
    await addMember(bot.workspaceId, admin.id, 'admin');
    provider.respond((asked) =>
      asked.path.endsWith('/sendMessage')
        ? { status: 401, json: { ok: false, error_code: 401, description: 'Unauthorized' } }
        : { json: botApi(asked) ?? {} },
    );
    for (let time = 0; time < 2; time += 1) {
      expect(await telegram.beginAndReply(bot)).toMatchObject({
        send_status: 'failed',
        delivery_error: expect.stringContaining('needs to be connected again'),
      });
    }
    expect(await accountOf(bot)).toMatchObject({ status: 'reconnect_needed' });
    const notifications = await db().notification.findMany({
      where: { workspaceId: bot.workspaceId, kind: 'channel_reconnect' },
    });
    expect(notifications.map(({ userId }) => userId).sort()).toEqual([bot.by.id, admin.id].sort());
    provider.respond((asked) => ({ json: botApi(asked) ?? {} }));
    expect(await testAccount({ workspaceId: bot.workspaceId, accountId: bot.id, by: bot.by })).toEqual({
      works: true,
    });
    expect(await accountOf(bot)).toMatchObject({ status: 'connected', lastError: null });
  });

  test('that Telegram throttles waits for a short retry_after', async ({ provider, telegram }) => {
    const bot = await telegram.connectBot();
    let times = 0;
    provider.respond((asked) => {
      if (asked.path.endsWith('/sendMessage')) times += 1;
      if (!asked.path.endsWith('/sendMessage') || times > 1) return { json: botApi(asked) ?? {} };
      const parameters = { retry_after: 1 };
      return {
        status: 429,
        json: { ok: false, error_code: 429, description: 'Too Many Requests: retry after 1', parameters },
      };
    });
    expect(await telegram.beginAndReply(bot)).toMatchObject({ send_status: 'sent' });
    expect(times).toBe(2);
  });

  test('that Telegram throttles for longer, or does not answer, fails within ten seconds', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    provider.respond((asked) => {
      if (!asked.path.endsWith('/sendMessage')) return { json: botApi(asked) ?? {} };
      const parameters = { retry_after: 35 };
      return {
        status: 429,
        json: { ok: false, error_code: 429, description: 'Too Many Requests', parameters },
      };
    });
    const throttled = await timed(() => telegram.beginAndReply(bot));
    expect(throttled.result).toMatchObject({
      delivery_error: expect.stringContaining('accepts no more messages'),
    });
    provider.respond((asked) =>
      asked.path.endsWith('/sendMessage') ? 'hang' : { json: botApi(asked) ?? {} },
    );
    const hanging = await timed(() => telegram.beginAndReply(bot));
    expect(hanging.result).toMatchObject({
      delivery_error: expect.stringContaining('did not answer in time'),
    });
    // The throttled reply does not wait. On a busy machine both replies take longer.
    expect(hanging.ms).toBeLessThan(12_000 + 3 * throttled.ms);
  });

  test('whose connection breaks after Telegram read it may have arrived, so nobody is told to send it again', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    provider.respond((asked) =>
      asked.path.endsWith('/sendMessage') ? 'break' : { json: botApi(asked) ?? {} },
    );
    expect(await telegram.beginAndReply(bot)).toMatchObject({
      send_status: 'failed',
      delivery_error: 'Telegram did not confirm the message, so the contact may not have received it.',
    });
  });

  test('is sent with its files: pictures as photos, other files as documents', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const { id, conversation_id: conversationId } = await telegram.beginAndReply(bot);
    const { workspaceId } = bot;
    const bytes = Buffer.from('%PDF-1.4 a bill');
    const file = await storeFile(workspaceId, {
      name: 'bill.pdf',
      contentType: 'application/pdf',
      source: (async function* () {
        yield bytes;
      })(),
    });
    await inTransaction((tx) =>
      linkFiles(tx, { workspaceId, messageId: id, files: [file], now: new Date() }),
    );
    await db().message.update({
      where: { id },
      data: { sendStatus: 'sending', sendStartedAt: new Date(), externalId: null },
    });
    expect(await sendMessage(id)).toMatchObject({
      status: 'sent',
      providerIds: [expect.any(String), expect.any(String)],
    });
    const sent = provider.calls.at(-1);
    expect(sent?.path).toMatch(/sendDocument$/);
    const document = sent?.body.document;
    expect(document instanceof File && { name: document.name, text: await document.text() }).toEqual({
      name: 'bill.pdf',
      text: bytes.toString(),
    });
    expect(conversationId).toBeTruthy();
  });

  test('without text sends only its file', async ({ provider, telegram }) => {
    const bot = await telegram.connectBot();
    await telegram.beginAndReply(bot);
    provider.calls.length = 0;
    expect(await replyWithFile(bot, { name: 'bill.pdf', contentType: 'application/pdf' })).toMatchObject({
      content: '',
      send_status: 'sent',
    });
    expect(provider.calls.map(({ path }) => path.split('/').at(-1))).toEqual(['sendDocument']);
  });

  test('sends a picture that Telegram does not accept as a photo as a document', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    await telegram.beginAndReply(bot);
    provider.calls.length = 0;
    const json = { ok: false, error_code: 400, description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' };
    provider.respond((call) =>
      call.path.endsWith('/sendPhoto') ? { status: 400, json } : { json: botApi(call) ?? {} },
    );
    const content = Buffer.from('89504e470d0a1a0a', 'hex');
    const picture = { name: 'large.png', contentType: 'image/png', content };
    expect(await replyWithFile(bot, picture)).toMatchObject({ send_status: 'sent' });
    expect(provider.calls.map(({ path }) => path.split('/').at(-1))).toEqual(['sendPhoto', 'sendDocument']);
  });

  test('in a conversation with a disconnected account is saved as failed, with an explanation', async ({
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const { conversation_id: conversationId } = await telegram.beginAndReply(bot);
    await disconnectAccount({ workspaceId: bot.workspaceId, accountId: bot.id, by: bot.by });
    const actor = { kind: 'teammate', teammate: bot.by } as const;
    const reply = await sendReply({
      workspaceId: bot.workspaceId,
      id: conversationId,
      actor,
      content: 'Hello?',
    });
    expect(reply).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('Telegram is not connected'),
    });
  });
});

test('the credentials of an account cannot be decrypted for another account', async ({ telegram }) => {
  const [bot, other] = [await telegram.connectBot(), await telegram.connectBot()];
  const { credentials } = await accountOf(bot);
  await db().channelAccount.update({ where: { id: other.id }, data: { credentials } });
  const stolen = await db().channelAccount.findUniqueOrThrow({
    where: { id: other.id },
    select: sealedAccountSelect,
  });
  expect(() => openAccount(stolen)).toThrow('cannot be read');
  await db().channelAccount.update({
    where: { id: other.id },
    data: { deletedAt: new Date(), credentials: null },
  });
});
