import { isRecord, objectOf, type ProviderRequest, parseJson, textOf } from '../../http/bodies.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { acceptSend, refusalFor } from '../accept-send.ts';
import { countedId, numericId } from '../make-ids.ts';
import { chatWith, findPerson, unknownPerson } from '../people.ts';
import { findMessage } from '../person-acts.ts';
import { changed, type Providers } from '../providers.ts';
import { type Account, keyOf, type SentFile } from '../state.ts';
import { storeFile } from '../store-file.ts';
import { changeAllowedUpdates, getUpdates } from './bot-updates.ts';
import { BadRequest, type Entity, type FormattedText, parseText, withFound } from './parse-text.ts';
import { botUser, telegramError, telegramMessage, telegramOk } from './telegram-kind.ts';

type BotCall = { providers: Providers; request: ProviderRequest; account: Account };

const TEXT_MAX_LENGTH = 4_096;
const CAPTION_MAX_LENGTH = 1_024;
/** Methods that send a file, and their field, which is also the field of the message. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  sendphoto: 'photo',
  senddocument: 'document',
  sendvideo: 'video',
  sendanimation: 'animation',
  sendaudio: 'audio',
  sendvoice: 'voice',
  sendvideonote: 'video_note',
  sendsticker: 'sticker',
};
/** An album has 2 to 10 files. */
const ALBUM_MIN = 2;
const ALBUM_MAX = 10;

/** Handles `/bot<token>/<method>`. Method names are case-insensitive. */
export async function handleBot(providers: Providers, request: ProviderRequest): Promise<HttpResponse> {
  const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(request.path);
  if (file) return downloadFile(providers, file[1] ?? '', file[2] ?? '');
  const [, token = '', method = ''] = /^\/bot([^/]+)\/([^/]+)$/.exec(request.path) ?? [];
  if (!/^\d+:[\w-]+$/.test(token)) return telegramError(404, 'Not Found');
  const account = findBot(providers, token);
  if (!account) return telegramError(401, 'Unauthorized');
  if (!request.readable) return telegramError(400, "Bad Request: can't parse JSON object");
  try {
    return await callMethod(method.toLowerCase(), { providers, request, account });
  } catch (error) {
    if (error instanceof BadRequest) return telegramError(400, `Bad Request: ${error.message}`);
    throw error;
  }
}

function callMethod(method: string, call: BotCall): HttpResponse | Promise<HttpResponse> {
  const { account } = call;
  const fileField = FILE_FIELDS[method];
  if (fileField) return sendFile(call, fileField);
  switch (method) {
    case 'getme':
      return telegramOk({
        ...botUser(account),
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      });
    case 'setwebhook':
      return setWebhook(call);
    case 'deletewebhook':
      return deleteWebhook(call);
    case 'getupdates':
      return getUpdates(account, call.request);
    case 'getwebhookinfo':
      return telegramOk(webhookInfo(call));
    case 'sendmessage':
      return sendText(call);
    case 'sendmediagroup':
      return sendAlbum(call);
    case 'editmessagetext':
      return editText(call);
    case 'deletemessage':
      return deleteMessage(call);
    case 'getfile':
      return describeFile(call);
    case 'sendchataction':
      return telegramOk(true);
    default:
      return telegramError(404, 'Not Found: method not found');
  }
}

function findBot({ state }: Providers, token: string): Account | undefined {
  return [...state.accounts.values()].find(
    (account) => account.channel === 'telegram' && account.token === token && account.switches.tokenValid,
  );
}

/** Sets the webhook. Telegram requires https; the stand-in also allows plain http to this machine. */
function setWebhook({ providers, request, account }: BotCall): HttpResponse {
  const address = textOf(request.fields.url);
  const secret = textOf(request.fields.secret_token);
  if (address === '') return deleteWebhook({ providers, request, account });
  const url = URL.parse(address);
  const isLocal = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (!url || (url.protocol !== 'https:' && !isLocal)) {
    return telegramError(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook');
  }
  if (!/^[\w-]{0,256}$/.test(secret)) {
    return telegramError(400, 'Bad Request: secret token contains unallowed characters');
  }
  const isSame = account.address === address && account.secret === secret;
  account.address = address;
  account.secret = secret;
  changeAllowedUpdates(account.bot, request);
  const pending = dropsPending(request) ? [] : account.bot.pending;
  account.bot.pending = [];
  for (const update of pending) providers.outbox.put(account, update);
  changed(providers);
  return telegramOk(true, isSame ? 'Webhook is already set' : 'Webhook was set');
}

function deleteWebhook({ providers, request, account }: BotCall): HttpResponse {
  if (dropsPending(request)) account.bot.pending = [];
  account.address = null;
  account.secret = '';
  changed(providers);
  return telegramOk(true, 'Webhook was deleted');
}

function dropsPending({ fields }: ProviderRequest): boolean {
  return /^true$/i.test(String(fields.drop_pending_updates));
}

function webhookInfo({ providers, account }: BotCall) {
  const last = providers.state.webhookCalls.find(
    (call) => call.account === keyOf(account) && call.attempts.some(({ status }) => status !== 200),
  );
  const attempt = last?.attempts.findLast(({ status }) => status !== 200);
  const message = attempt && (attempt.problem ?? `Wrong response from the webhook: ${attempt.status}`);
  return {
    url: account.address ?? '',
    has_custom_certificate: false,
    pending_update_count: account.bot.pending.length,
    ...(attempt
      ? { last_error_date: Math.floor(attempt.at.getTime() / 1_000), last_error_message: message }
      : {}),
    max_connections: 40,
    ...(account.bot.allowedUpdates.length > 0 ? { allowed_updates: account.bot.allowedUpdates } : {}),
  };
}

function sendText(call: BotCall): HttpResponse {
  const { fields } = call.request;
  const content = formattedText(textOf(fields.text), fields.parse_mode, fields.entities);
  if (content.text.trim() === '') return telegramError(400, 'Bad Request: message text is empty');
  if ([...content.text].length > TEXT_MAX_LENGTH)
    return telegramError(400, 'Bad Request: message is too long');
  return send(call, [{ ...content, files: [] }]);
}

/** Returns a text in the format of a call: with `parse_mode`, or with its entities. */
function formattedText(text: string, mode: unknown, entities: unknown): FormattedText {
  const given: unknown = typeof entities === 'string' ? parseJson(entities) : entities;
  if (!Array.isArray(given) || textOf(mode) !== '') return parseText(text, textOf(mode));
  return { text, entities: withFound(text, given.filter(isEntity)) };
}

function isEntity(value: unknown): value is Entity {
  return isRecord(value) && typeof value.offset === 'number' && typeof value.length === 'number';
}

type Content = FormattedText & { files: SentFile[]; kind?: string };

function sendFile(call: BotCall, field: string): HttpResponse {
  return send(call, [readFile(call, field, call.request.fields)]);
}

/** `sendMediaGroup`: several files as one album, each in its own message. */
function sendAlbum(call: BotCall): HttpResponse {
  const { media } = call.request.fields;
  const list: unknown = typeof media === 'string' ? parseJson(media) : media;
  const items = Array.isArray(list) ? list.filter(isRecord) : [];
  if (items.length < ALBUM_MIN || items.length > ALBUM_MAX)
    throw new BadRequest('wrong number of messages in the album');
  const contents = items.map((item) => {
    const field = textOf(item.type);
    return readFile(call, field, { ...item, [field]: item.media });
  });
  return send(call, contents, numericId(17));
}

/** Returns a file and its caption from the fields of a call, or of one item of an album. */
function readFile(call: BotCall, field: string, fields: Record<string, unknown>): Content {
  const { providers, request, account } = call;
  const caption = formattedText(textOf(fields.caption), fields.parse_mode, fields.caption_entities);
  if ([...caption.text].length > CAPTION_MAX_LENGTH) {
    throw new BadRequest('message caption is too long');
  }
  const content = (file: SentFile): Content => ({ ...caption, files: [file], kind: field });
  const written = textOf(fields[field]);
  const attached = written.startsWith('attach://') ? written.slice('attach://'.length) : field;
  const upload = request.files.find((file) => file.field === attached);
  const known = providers.state.files.get(written);
  if (upload) return content(storeFile(providers, account, upload));
  if (known?.account === keyOf(account)) {
    return content({ id: known.id, name: known.name, type: known.type, size: known.size });
  }
  if (/^https?:/.test(written)) {
    throw new BadRequest('failed to get HTTP URL content');
  }
  throw new BadRequest(`there is no ${field} in the request`);
}

function send({ providers, request, account }: BotCall, contents: Content[], album?: string): HttpResponse {
  const id = textOf(request.fields.chat_id);
  if (id === '') return telegramError(400, 'Bad Request: chat_id is empty');
  const refused = refusalFor(account);
  if (refused) return refused;
  const isUserId = /^\d{5,12}$/.test(id);
  const person = findPerson(account, (each) => each.id === id) ?? (isUserId ? unknownPerson(id) : undefined);
  if (!person) return telegramError(400, 'Bad Request: chat not found');
  const reply = objectOf(request.fields.reply_parameters);
  const chat = chatWith(account, person);
  const label = reply.message_id ? `Reply to ${textOf(reply.message_id)}` : null;
  const sent = contents.map(({ kind = null, ...content }) => {
    const id = String(countedId());
    const message = acceptSend(providers, account, chat, {
      id,
      ...content,
      kind,
      label,
      album: album ?? null,
    });
    return telegramMessage({ providers, account, chat, message });
  });
  return telegramOk(album === undefined ? sent[0] : sent);
}

function editText({ providers, request, account }: BotCall): HttpResponse {
  const { fields } = request;
  const found = findMessage(account, textOf(fields.message_id));
  if (!found) return telegramError(400, 'Bad Request: message to edit not found');
  const { chat, message } = found;
  if (message.direction === 'in') return telegramError(400, "Bad Request: message can't be edited");
  const content = formattedText(textOf(fields.text), fields.parse_mode, fields.entities);
  if (content.text.trim() === '') return telegramError(400, 'Bad Request: message text is empty');
  if (content.text === message.text)
    return telegramError(
      400,
      'Bad Request: message is not modified: specified new message content is the same',
    );
  Object.assign(message, content, { edits: message.edits + 1 });
  changed(providers);
  return telegramOk(telegramMessage({ providers, account, chat, message }));
}

function deleteMessage({ providers, request, account }: BotCall): HttpResponse {
  const found = findMessage(account, textOf(request.fields.message_id));
  if (!found || found.message.removed) {
    return telegramError(400, 'Bad Request: message to delete not found');
  }
  found.message.removed = true;
  changed(providers);
  return telegramOk(true);
}

function describeFile({ providers, request, account }: BotCall): HttpResponse {
  const file = providers.state.files.get(textOf(request.fields.file_id));
  if (!file || file.account !== keyOf(account)) return telegramError(400, 'Bad Request: invalid file_id');
  const folder = file.type.startsWith('image/') ? 'photos' : 'documents';
  const [extension = ''] = /\.\w{1,10}$/.exec(file.name) ?? [];
  return telegramOk({
    file_id: file.id,
    file_unique_id: `u${file.id}`,
    file_size: file.size,
    file_path: `${folder}/file_${file.id}${extension}`,
  });
}

function downloadFile(providers: Providers, token: string, path: string): HttpResponse {
  const account = findBot(providers, token);
  if (!account) return telegramError(401, 'Unauthorized');
  const file = providers.state.files.get(/^\w+\/file_(\w+)/.exec(path)?.[1] ?? '');
  if (!file || file.account !== keyOf(account)) return telegramError(404, 'Not Found');
  return raw(file.content, 'application/octet-stream');
}
