import { type HttpResponse, json } from '../../http/responses.ts';
import { countedId } from '../make-ids.ts';
import type { ChannelKind, Occurrence } from '../occurrence.ts';
import type { Account, Message, Person, SentFile } from '../state.ts';
import { withFound } from './parse-text.ts';

const seconds = (at = new Date()): number => Math.floor(at.getTime() / 1_000);

function userOf({ id, name, username }: Person) {
  const [first = '', ...rest] = name.split(' ');
  return {
    id: Number(id),
    is_bot: false,
    first_name: first,
    ...(rest.length > 0 ? { last_name: rest.join(' ') } : {}),
    username: username.replaceAll('.', '_'),
    language_code: 'en',
  };
}

function chatOf(person: Person) {
  const { id, first_name, last_name, username } = userOf(person);
  return { id, first_name, ...(last_name ? { last_name } : {}), username, type: 'private' };
}

export function botUser({ externalId, name, username }: Account) {
  return { id: Number(externalId), is_bot: true, first_name: name, username: username ?? '' };
}

function fileObject({ id, size }: SentFile) {
  return { file_id: id, file_unique_id: `u${id}`, file_size: size };
}

function contentOf({ text, files: [file], kind, entities }: Message) {
  if (!file) return { text, ...(entities.length > 0 ? { entities } : {}) };
  const marks = entities.length > 0 ? { caption_entities: entities } : {};
  const caption = text ? { caption: text, ...marks } : {};
  const field = kind ?? kindOf(file.type);
  if (field === 'photo') return { photo: [{ ...fileObject(file), width: 640, height: 480 }], ...caption };
  return {
    [field]: {
      ...fileObject(file),
      ...DETAILS[field],
      ...(UNNAMED.has(field) ? {} : { file_name: file.name }),
      mime_type: file.type,
    },
    ...caption,
  };
}

/** Required fields of the objects, and kinds without a file name. @see https://core.telegram.org/bots/api#available-types */
const DETAILS: Readonly<Record<string, object>> = {
  video: { width: 640, height: 480, duration: 1 },
  animation: { width: 640, height: 480, duration: 1 },
  audio: { duration: 1 },
  voice: { duration: 1 },
  video_note: { length: 240, duration: 1 },
  sticker: { type: 'regular', width: 512, height: 512, is_animated: false, is_video: false },
};
const UNNAMED = new Set(['voice', 'video_note', 'sticker']);

function kindOf(type: string): string {
  if (type === 'audio/ogg') return 'voice';
  const [media = ''] = type.split('/');
  if (media === 'image') return type === 'image/gif' ? 'document' : 'photo';
  return media === 'video' || media === 'audio' ? media : 'document';
}

/** Returns a message in the format of the Bot API, for updates and for responses to a send. */
export function telegramMessage({ account, chat, message }: Occurrence) {
  return {
    message_id: Number(message.id),
    from: message.direction === 'out' ? botUser(account) : userOf(chat.person),
    chat: chatOf(chat.person),
    date: seconds(message.at),
    ...(message.edits > 0 ? { edit_date: seconds() } : {}),
    ...(message.album === null ? {} : { media_group_id: message.album }),
    ...contentOf(message),
  };
}

function update({ account }: Occurrence, content: object) {
  account.bot.nextUpdateId += 1;
  return { update_id: account.bot.nextUpdateId, ...content };
}

/**
 * Telegram's Bot API. Bots get no receipts, and no updates about removed messages.
 * @see https://core.telegram.org/bots/api#update
 */
export const telegramKind: ChannelKind = {
  label: 'Telegram',
  newMessageId: () => String(countedId()),
  filesPerMessage: 1,
  textWithFiles: true,
  findEntities: (text) => withFound(text, []),
  wrote: (occurrence) => [update(occurrence, { message: telegramMessage(occurrence) })],
  edited: (occurrence) => update(occurrence, { edited_message: telegramMessage(occurrence) }),
  removed: () => null,
  reacted: (occurrence, emoji) =>
    update(occurrence, {
      message_reaction: {
        chat: chatOf(occurrence.chat.person),
        message_id: Number(occurrence.message.id),
        user: userOf(occurrence.chat.person),
        date: seconds(),
        old_reaction: [],
        new_reaction: emoji ? [{ type: 'emoji', emoji }] : [],
      },
    }),
  receipt: () => null,
  refusals: {
    '403': {
      label: '403 Blocked by the user',
      response: telegramError(403, 'Forbidden: bot was blocked by the user'),
    },
    '400': { label: '400 Chat not found', response: telegramError(400, 'Bad Request: chat not found') },
    deactivated: {
      label: '403 User is deactivated',
      response: telegramError(403, 'Forbidden: user is deactivated'),
    },
    '429': {
      label: '429 Too many requests',
      response: telegramError(429, 'Too Many Requests: retry after 3', { retry_after: 3 }),
    },
    '401': { label: '401 Unauthorized', response: telegramError(401, 'Unauthorized') },
    '500': { label: '500 Internal Server Error', response: telegramError(500, 'Internal Server Error') },
    hang: { label: 'No response', response: 'hang' },
  },
  lateFailures: [],
};

/** Creates an error response. @see https://core.telegram.org/bots/api#making-requests */
export function telegramError(code: number, description: string, parameters?: object): HttpResponse {
  return json({ ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) }, code);
}

/** Creates a success response. */
export const telegramOk = (result: unknown, description?: string): HttpResponse =>
  json({ ok: true, result, ...(description ? { description } : {}) });
