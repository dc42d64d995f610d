import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { notConnectedSentence } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { OutgoingFile, OutgoingMessage, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import {
  faultOutcome,
  reconnectSentence,
  throttledSentence,
} from '#server/inbox/channels/sending/provider-sentences.ts';
import {
  type PartOutcome,
  readFully,
  type SendPart,
  sendParts,
} from '#server/inbox/channels/sending/send-parts.ts';
import { splitText } from '#server/inbox/channels/sending/split-text.ts';
import { isTokenRefused } from '#server/inbox/channels/telegram/connect-telegram.ts';
import { telegramMessageId } from '#server/inbox/channels/telegram/receive-telegram.ts';
import { callTelegram, type TelegramResult } from '#server/inbox/channels/telegram/telegram-api.ts';

/** Maximum length of a message in UTF-16 units, as Telegram counts them (Bot API, sendMessage). */
const TEXT_MAX_LENGTH = 4096;
/** Maximum sizes for bots (Bot API, sending files). */
const PHOTO_MAX_BYTES = 10 * 1024 * 1024;
const FILE_MAX_BYTES = 50 * 1024 * 1024;
const PHOTO_TYPES = ['image/jpeg', 'image/png'];
/** Errors for a picture that can only be a document, such as one whose width and height exceed 10000 together. */
const NO_PHOTO = /\b(?:photo_|image_process_)/i;
/** Maximum `retry_after` that a reply waits for, in seconds: a reply has ten seconds. */
const PAUSE_MAX_SECONDS = 6;

const BLOCKED =
  'The contact has blocked the bot on Telegram or deleted their account, so messages no longer reach them.';
const NO_CHAT = 'Telegram no longer knows this chat.';
const NO_ADDRESS = 'There is no address to send this to on Telegram.';

const sentShape = z.object({ message_id: z.number() });

/** Sends a message to a person: the text in parts of 4096 characters, then the files. */
export async function sendTelegram(message: OutgoingMessage): Promise<SendOutcome> {
  const { account, conversation, identity, content, attachments } = message;
  if (!account) return { status: 'failed', reason: notConnectedSentence('telegram') };
  const chatId = conversation.externalThreadId ?? identity?.externalId;
  if (chatId === undefined) return { status: 'failed', reason: NO_ADDRESS };
  const { botToken = '' } = account.credentials;
  const call = (method: string, parameters: () => Promise<Record<string, unknown> | FormData>): SendPart => {
    return async (signal) => {
      try {
        const body = await parameters();
        const response = await callWithRetry(() => callTelegram(botToken, method, body, signal), signal);
        return outcomeOf(response, (messageId) => telegramMessageId(account, chatId, messageId));
      } catch (error) {
        return faultOutcome('telegram', error);
      }
    };
  };
  const texts = content.trim() === '' ? [] : splitText(content, TEXT_MAX_LENGTH);
  const parts = [
    ...texts.map((text) => call('sendMessage', async () => ({ chat_id: chatId, text }))),
    ...attachments.map((file) => sendFile(file, chatId, call)),
  ];
  return sendParts(parts, message);
}

function sendFile(
  file: OutgoingFile,
  chatId: string,
  call: (method: string, parameters: () => Promise<FormData>) => SendPart,
): SendPart {
  if (file.sizeBytes > FILE_MAX_BYTES) {
    return async () => ({ reason: `Telegram accepts files up to 50 MB, and “${file.name}” is larger.` });
  }
  const sendAs = (method: string, field: string) =>
    call(method, async () => {
      const form = new FormData();
      form.set('chat_id', chatId);
      form.set(field, new Blob([await readFully(file)], { type: file.contentType }), file.name);
      return form;
    });
  const asDocument = sendAs('sendDocument', 'document');
  if (!PHOTO_TYPES.includes(file.contentType) || file.sizeBytes > PHOTO_MAX_BYTES) return asDocument;
  const asPhoto = sendAs('sendPhoto', 'photo');
  return async (signal) => {
    const outcome = await asPhoto(signal);
    return 'reason' in outcome && NO_PHOTO.test(outcome.reason) ? asDocument(signal) : outcome;
  };
}

/** Retries once after a short `retry_after`. */
async function callWithRetry(
  call: () => Promise<TelegramResult>,
  signal: AbortSignal,
): Promise<TelegramResult> {
  const response = await call();
  const pause = response.ok ? null : response.retryAfterSeconds;
  if (pause === null || pause > PAUSE_MAX_SECONDS) return response;
  try {
    await sleep(pause * 1000, undefined, { signal });
  } catch {
    return response;
  }
  return call();
}

function outcomeOf(response: TelegramResult, idOf: (messageId: number) => string): PartOutcome {
  if (response.ok) return { sent: idOf(sentShape.parse(response.result).message_id) };
  const { code, description } = response;
  if (isTokenRefused(response)) return { reason: reconnectSentence('telegram'), reconnect: true };
  if (code === 403) return { reason: BLOCKED };
  if (code === 429) return { reason: throttledSentence('telegram') };
  if (/chat not found/i.test(description)) return { reason: NO_CHAT };
  return { reason: `Telegram did not accept the message: ${description.slice(0, 200) || code}` };
}
