import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { connectAccount } from '#server/inbox/channels/accounts/connect-account.ts';
import { disconnectAccount } from '#server/inbox/channels/accounts/disconnect-account.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { connectNew } from '#test/fixtures/connect-new.ts';
import { addMember, makeUser } from '#test/fixtures/factories.ts';
import { accountOf, botApi, messagesOf, newToken, test, updateOf } from '#test/fixtures/telegram-test.ts';

describe('connecting a bot', () => {
  test('verifies the token with Telegram, stores it encrypted, and registers a webhook with our secret', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const { credentials, name, externalId, status } = await accountOf(bot);
    expect({ name, externalId, status }).toEqual({
      name: `@acme_${externalId}_bot`,
      externalId: bot.botToken.split(':')[0],
      status: 'connected',
    });
    expect(Buffer.from(credentials ?? []).includes(bot.botToken)).toBe(false);
    expect(JSON.parse(unseal(credentials ?? new Uint8Array(), bot.id, secretKeys()))).toMatchObject({
      botToken: bot.botToken,
      webhookSecret: bot.secret,
    });
    expect(provider.calls.at(-1)?.body).toEqual({
      url: `http://inbox.test/webhooks/telegram/${bot.id}`,
      secret_token: expect.stringMatching(/^[\w-]{32,256}$/),
      allowed_updates: ['message', 'edited_message', 'message_reaction'],
    });
  });

  test('reports a token that Telegram does not know under its field', async ({ provider }) => {
    provider.respond(() => ({
      status: 401,
      json: { ok: false, error_code: 401, description: 'Unauthorized' },
    }));
    const refused = connectNew('telegram', { botToken: newToken() });
    await expect(refused).rejects.toMatchObject({
      errors: { botToken: ['Telegram does not know this bot token. Copy it again from BotFather.'] },
    });
  });

  test.for(['', 'no token', '1:../../getMe', `1:${'x'.repeat(2_000)}`])(
    'refuses the invalid token %j without calling Telegram',
    async (botToken, { provider }) => {
      await expect(connectNew('telegram', { botToken })).rejects.toMatchObject({ refusal: 'invalid' });
      expect(provider.calls).toEqual([]);
    },
  );

  test('reports a webhook address that Telegram rejects, and does not connect the bot', async ({
    provider,
  }) => {
    provider.respond((asked) =>
      asked.path.endsWith('/setWebhook')
        ? {
            status: 400,
            json: {
              ok: false,
              error_code: 400,
              description: 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
            },
          }
        : { json: botApi(asked) ?? {} },
    );
    const before = await db().channelAccount.count({ where: { deletedAt: null } });
    await expect(connectNew('telegram', { botToken: newToken() })).rejects.toThrow(
      'HTTPS URL must be provided',
    );
    expect(await db().channelAccount.count({ where: { deletedAt: null } })).toBe(before);
  });

  test('is refused for a second workspace and for agents', async ({ telegram }) => {
    const { botToken, workspaceId } = await telegram.connectBot();
    await expect(connectNew('telegram', { botToken })).rejects.toThrow(
      'is already connected to another workspace',
    );
    const agent = await makeUser();
    await addMember(workspaceId, agent.id, 'agent');
    const fields = { botToken: newToken() };
    await expect(
      connectAccount({ workspaceId, channel: 'telegram', fields, by: agent }),
    ).rejects.toMatchObject({
      refusal: 'forbidden',
    });
  });

  test('again after disconnecting keeps its webhook address and continues its conversations', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    await telegram.receive(bot, updateOf());
    await disconnectAccount({ workspaceId: bot.workspaceId, accountId: bot.id, by: bot.by });
    expect(provider.calls.at(-1)?.path).toMatch(/deleteWebhook$/);
    expect(await accountOf(bot)).toMatchObject({ credentials: null, deletedAt: expect.any(Date) });
    expect(await telegram.call(bot, updateOf())).toBe(404);
    const again = await connectAccount({
      workspaceId: bot.workspaceId,
      channel: 'telegram',
      fields: { botToken: bot.botToken },
      by: bot.by,
    });
    expect(again.id).toBe(bot.id);
    const secret = String(provider.calls.at(-1)?.body.secret_token);
    expect(await telegram.call({ id: bot.id, secret }, updateOf())).toBe(200);
    await processUpdates(bot.id);
    expect(new Set((await messagesOf(bot)).map(({ conversationId }) => conversationId)).size).toBe(1);
  });

  test('again leaves a connected bot as it was when Telegram does not answer, and still receives', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const { id, workspaceId, by, botToken } = bot;
    const before = await accountOf(bot);
    provider.respond((asked) =>
      asked.path.endsWith('/setWebhook') ? { status: 502, json: {} } : { json: botApi(asked) ?? {} },
    );
    const again = connectAccount({ workspaceId, channel: 'telegram', fields: { botToken }, by });
    await expect(again).rejects.toThrow('could not be reached');
    expect(await accountOf(bot)).toEqual(before);
    // Telegram may have accepted the address before its answer got lost, with the secret of that call.
    const secret = String(provider.calls.at(-1)?.body.secret_token);
    expect(await telegram.call({ id, secret }, updateOf())).toBe(200);
  });

  test('again while a reply is sent with the token that was revoked leaves the bot connected', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const { workspaceId, by } = bot;
    const fields = { botToken: `${bot.botToken}-new` };
    provider.respond(async (call) => {
      if (!call.path.endsWith('/sendMessage')) return { json: botApi(call) ?? {} };
      await connectAccount({ workspaceId, channel: 'telegram', fields, by });
      return { status: 401, json: { ok: false, error_code: 401, description: 'Unauthorized' } };
    });
    expect(await telegram.beginAndReply(bot)).toMatchObject({ send_status: 'failed' });
    expect(await accountOf(bot)).toMatchObject({ status: 'connected', lastError: null });
  });
});
