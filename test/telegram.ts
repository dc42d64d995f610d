import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/db.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { connectNew, withChannelService } from '#test/channel-service.ts';
import type { ProviderCall } from '#test/provider-server.ts';
import { newAddress } from '#test/sign-in.ts';

/** For a test file about Telegram: the service, the Bot API, a bot that is connected, and what a person writes to it. */
export function withTelegram() {
  const OK = { ok: true, result: true };
  let lastId = randomInt(1_000_000);
  function nextId(): number {
    lastId += 1;
    return lastId;
  }

  /** The Bot API as it answers when nothing is wrong; a bot's id is the first part of its token. */
  function botApi({ path, body }: ProviderCall): object | undefined {
    const [, botId, method] = /^\/bot(\d+):[\w-]+\/(\w+)$/.exec(path) ?? [];
    if (method === 'getMe') {
      const result = { id: Number(botId), is_bot: true, first_name: 'Acme', username: `acme_${botId}_bot` };
      return { ok: true, result };
    }
    if (method === 'setWebhook' || method === 'deleteWebhook') return OK;
    if (method === 'getWebhookInfo') return { ok: true, result: { url: webhookUrls.get(botId ?? '') ?? '' } };
    if (method === 'getFile')
      return { ok: true, result: { file_id: body.file_id, file_path: `photos/${String(body.file_id)}.jpg` } };
    if (method?.startsWith('send')) {
      const chat = { id: Number(body.chat_id), type: 'private' };
      return { ok: true, result: { message_id: nextId(), date: 1, chat, text: body.text } };
    }
    return undefined;
  }
  const webhookUrls = new Map<string, string>();

  const service = withChannelService((url) => ({ TELEGRAM_API_URL: url }), botApi);

  const newToken = () => `${randomInt(1e9, 9e9)}:AAE-${'x'.repeat(30)}_1`;

  async function connectBot() {
    const botToken = newToken();
    const account = await connectNew('telegram', { botToken });
    const setWebhook = service.provider.calls.findLast(({ path }) => path.endsWith('/setWebhook'));
    const secret = String(setWebhook?.body.secret_token);
    webhookUrls.set(botToken.split(':')[0] ?? '', String(setWebhook?.body.url));
    return { ...account, botToken, secret };
  }
  type Bot = Awaited<ReturnType<typeof connectBot>>;

  const ADA = { id: 4711, is_bot: false, first_name: 'Ada', last_name: 'Lovelace', language_code: 'en' };

  function messageOf(given: object = {}) {
    const message = {
      message_id: nextId(),
      date: 1_700_000_000,
      chat: { id: ADA.id, type: 'private' },
      from: ADA,
    };
    return { ...message, text: 'Where is my order?', ...given };
  }
  const updateOf = (given: object = {}) => ({ update_id: nextId(), message: messageOf(given) });

  /** What Telegram sends, with the secret in its header. */
  async function call(
    bot: { id: string; secret: string },
    body: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${service.url}/webhooks/telegram/${bot.id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-telegram-bot-api-secret-token': bot.secret,
        'x-forwarded-for': newAddress(),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    await response.text();
    return response.status;
  }

  async function receive(bot: Bot, body: unknown) {
    expect(await call(bot, body)).toBe(200);
    await processUpdates(bot.id);
  }

  const messagesOf = ({ workspaceId }: { workspaceId: string }) =>
    db().message.findMany({
      where: { workspaceId },
      orderBy: { createdAt: 'asc' },
      include: { attachments: true },
    });
  const keptOf = ({ id }: { id: string }) => db().inboundUpdate.findMany({ where: { accountId: id } });
  const accountOf = ({ id }: { id: string }) => db().channelAccount.findUniqueOrThrow({ where: { id } });

  /** A conversation that Ada has begun, and a teammate's reply in it. */
  async function beginAndReply(bot: Bot, content = 'On its way.') {
    await receive(bot, updateOf());
    const { id } = await db().conversation.findFirstOrThrow({ where: { workspaceId: bot.workspaceId } });
    return sendReply({
      workspaceId: bot.workspaceId,
      id,
      actor: { kind: 'teammate', teammate: bot.by },
      content,
    });
  }

  return {
    nextId,
    botApi,
    service,
    newToken,
    connectBot,
    ADA,
    messageOf,
    updateOf,
    call,
    receive,
    messagesOf,
    keptOf,
    accountOf,
    beginAndReply,
  };
}
