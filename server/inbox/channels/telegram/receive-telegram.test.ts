import { expect, test } from 'vitest';
import { receiveTelegram } from '#server/inbox/channels/telegram/receive-telegram.ts';

const account = {
  id: 'a',
  workspaceId: 'w',
  channel: 'telegram' as const,
  externalId: '1',
  name: '@bot',
  credentials: { botToken: '1:a' },
  sealed: null,
  settings: {},
  webhookCalledAt: null,
};

/** Receives a sticker and returns the content and the files of the message. */
function receive(sticker: object) {
  const from = { id: 4711, is_bot: false, first_name: 'Ada' };
  const chat = { id: 4711, type: 'private' };
  const file = { file_id: 'f', file_unique_id: 'u', emoji: '👍' };
  const message = { message_id: 1, date: 1, chat, from, sticker: { ...file, ...sticker } };
  const body = Buffer.from(JSON.stringify({ update_id: 1, message }));
  const [received] = receiveTelegram({ id: 'u', body, headers: {}, receivedAt: new Date() }, account);
  if (received?.kind !== 'message') return null;
  return [received.content, received.files.map(({ name, contentType }) => [name, contentType])];
}

test('a sticker on Telegram is a picture, a video sticker is a video', () => {
  const still = { is_animated: false, is_video: false };
  expect(receive(still)).toEqual(['', [['sticker.webp', 'image/webp']]]);
  expect(receive({ ...still, is_video: true })).toEqual(['', [['sticker.webm', 'video/webm']]]);
});

test('an animated sticker on Telegram, whose format no browser shows, appears as its emoji', () => {
  expect(receive({ is_animated: true, is_video: false })).toEqual(['[Sticker: 👍]', []]);
  expect(receive({ is_animated: true, emoji: undefined })).toEqual([
    '[The contact sent something that cannot be shown here: sticker.]',
    [],
  ]);
});
