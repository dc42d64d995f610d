import { sameSecret } from '#server/core/secrets.ts';
import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { digestOfBody } from '#server/inbox/channels/received-update.ts';
import {
  connectTelegram,
  subscribeTelegram,
  testTelegram,
  unsubscribeTelegram,
} from '#server/inbox/channels/telegram/connect-telegram.ts';
import {
  receiveTelegram,
  telegramAlbum,
  telegramUpdateId,
} from '#server/inbox/channels/telegram/receive-telegram.ts';
import { sendTelegram } from '#server/inbox/channels/telegram/send-telegram.ts';

const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

/** Telegram through its Bot API (core.telegram.org/bots/api): messages to and from a bot. */
export const telegramChannel: ChannelAdapter = {
  ...accountChannelStatus('telegram'),
  send: sendTelegram,
  accounts: {
    fields: [
      {
        name: 'botToken',
        label: 'Bot token',
        hint: 'BotFather shows it when you create the bot, and again after /token.',
        secret: true,
      },
    ],
    showsVerifyToken: false,
    steps: [
      'Open BotFather in Telegram and create a bot with /newbot.',
      'Paste its bot token here. The service then asks Telegram to send the bot’s messages here.',
    ],
    webhookStep: null,
    connect: connectTelegram,
    subscribe: subscribeTelegram,
    unsubscribe: unsubscribeTelegram,
    test: testTelegram,
    webhook: {
      verify: ({ method, headers }, { credentials }) =>
        method === 'POST' && sameSecret(headers[SECRET_HEADER] ?? '', credentials.webhookSecret ?? '')
          ? { kind: 'accepted' }
          : { kind: 'bad_signature' },
      updateId: (body) => telegramUpdateId(body) ?? digestOfBody(body),
      albumOf: telegramAlbum,
      storedHeaders: [],
      receive: async (update, account) => receiveTelegram(update, account),
    },
  },
};
