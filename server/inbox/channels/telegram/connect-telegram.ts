import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import { ProviderFault } from '#server/core/provider-request.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';
import type { ConnectedAccount, ConnectResult } from '#server/inbox/channels/channel-adapter.ts';
import { reconnectSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import {
  BOT_TOKEN,
  callTelegram,
  type TelegramResult,
} from '#server/inbox/channels/telegram/telegram-api.ts';

const WRONG_TOKEN = 'Telegram does not know this bot token. Copy it again from BotFather.';
const UNREACHABLE = 'Telegram could not be reached to check the bot token. Try again later.';

const botShape = z.object({ id: z.number(), is_bot: z.literal(true), username: z.string() });
const webhookShape = z.object({ url: z.string() });

/** Update types that Telegram sends: a person's messages, their edits and reactions (Bot API, Update). */
const ALLOWED_UPDATES = ['message', 'edited_message', 'message_reaction'];

/** Verifies the bot token with Telegram, and generates the webhook's secret. Throws a Refusal under `botToken`. */
export async function connectTelegram({ botToken = '' }: Record<string, string>): Promise<ConnectResult> {
  if (!BOT_TOKEN.test(botToken)) throw invalid({ botToken: [WRONG_TOKEN] });
  const response = await callOrRefuse(() => callTelegram(botToken, 'getMe'));
  const bot = response.ok ? botShape.safeParse(response.result).data : undefined;
  if (!bot) throw invalid({ botToken: [WRONG_TOKEN] });
  return {
    externalId: String(bot.id),
    name: `@${bot.username}`,
    credentials: { botToken, webhookSecret: randomBytes(32).toString('base64url') },
  };
}

/** Registers the webhook, with a secret that Telegram sends in a header (Bot API, setWebhook). */
export async function subscribeTelegram({ credentials }: ConnectedAccount, address: string): Promise<void> {
  const response = await callOrRefuse(() =>
    callTelegram(credentials.botToken ?? '', 'setWebhook', {
      url: address,
      secret_token: credentials.webhookSecret,
      allowed_updates: ALLOWED_UPDATES,
    }),
  );
  if (response.ok) return;
  const why = response.description === '' ? `code ${response.code}` : response.description;
  throw invalid({ botToken: [`Telegram does not send messages to ${address}: ${why}`] });
}

export async function unsubscribeTelegram({ credentials }: ConnectedAccount): Promise<void> {
  await callTelegram(credentials.botToken ?? '', 'deleteWebhook');
}

/** Returns null when Telegram accepts the token and the webhook is ours, else the problem. */
export async function testTelegram(
  account: ConnectedAccount,
): Promise<{ reason: string; reconnect: boolean } | null> {
  const { botToken = '' } = account.credentials;
  try {
    const me = await callTelegram(botToken, 'getMe');
    if (!me.ok && isTokenRefused(me)) return { reason: reconnectSentence('telegram'), reconnect: true };
    if (!me.ok) return { reason: `Telegram says: ${me.description}`, reconnect: false };
    const info = await callTelegram(botToken, 'getWebhookInfo');
    const url = info.ok ? webhookShape.safeParse(info.result).data?.url : undefined;
    if (url === undefined || url === webhookAddress(account)) return null;
    const reason =
      'Telegram sends the messages of this bot to another address. Connect the bot again with the same token.';
    return { reason, reconnect: false };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return { reason: 'Telegram could not be reached.', reconnect: false };
  }
}

/** Returns true for `401` (the token was revoked) and `404` (the bot was deleted). */
export function isTokenRefused({ code }: Extract<TelegramResult, { ok: false }>): boolean {
  return code === 401 || code === 404;
}

async function callOrRefuse(call: () => Promise<TelegramResult>): Promise<TelegramResult> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof ProviderFault ? invalid({ botToken: [UNREACHABLE] }) : error;
  }
}
