import { objectOf, type ProviderRequest, textOf } from '../../http/bodies.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { acceptSend, refusalFor } from '../accept-send.ts';
import { countedId } from '../make-ids.ts';
import { chatWith, findPerson, unknownPerson } from '../people.ts';
import { changed, type Providers } from '../providers.ts';
import { type Account, keyOf, type SentFile } from '../state.ts';
import { storeFile } from '../store-file.ts';
import { botUser, telegramError, telegramMessage, telegramOk } from './telegram-kind.ts';

type BotCall = { providers: Providers; request: ProviderRequest; account: Account };

const TEXT_MAX_LENGTH = 4_096;
const CAPTION_MAX_LENGTH = 1_024;
/** Methods that send a file, and their form field. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  sendphoto: 'photo',
  senddocument: 'document',
  sendvideo: 'video',
  sendaudio: 'audio',
  sendvoice: 'voice',
};

/** Handles `/bot<token>/<method>`. Method names are case-insensitive. */
export function handleBot(providers: Providers, request: ProviderRequest): HttpResponse {
  const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(request.path);
  if (file) return downloadFile(providers, file[1] ?? '', file[2] ?? '');
  const [, token = '', method = ''] = /^\/bot([^/]+)\/([^/]+)$/.exec(request.path) ?? [];
  if (!/^\d+:[\w-]+$/.test(token)) return telegramError(404, 'Not Found');
  const account = findBot(providers, token);
  if (!account) return telegramError(401, 'Unauthorized');
  if (!request.readable) return telegramError(400, "Bad Request: can't parse JSON object");
  return callMethod(method.toLowerCase(), { providers, request, account });
}

function callMethod(method: string, call: BotCall): HttpResponse {
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
      account.address = null;
      account.secret = '';
      changed(call.providers);
      return telegramOk(true, 'Webhook was deleted');
    case 'getwebhookinfo':
      return telegramOk(webhookInfo(call));
    case 'sendmessage':
      return sendText(call);
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
  if (address === '') {
    account.address = null;
    return telegramOk(true, 'Webhook was deleted');
  }
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
  changed(providers);
  return telegramOk(true, isSame ? 'Webhook is already set' : 'Webhook was set');
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
    pending_update_count: 0,
    ...(attempt
      ? { last_error_date: Math.floor(attempt.at.getTime() / 1_000), last_error_message: message }
      : {}),
    max_connections: 40,
  };
}

function sendText(call: BotCall): HttpResponse {
  const text = textOf(call.request.fields.text);
  if (text.trim() === '') return telegramError(400, 'Bad Request: message text is empty');
  if ([...text].length > TEXT_MAX_LENGTH) return telegramError(400, 'Bad Request: message is too long');
  return send(call, text, []);
}

function sendFile(call: BotCall, field: string): HttpResponse {
  const { providers, request, account } = call;
  const caption = textOf(request.fields.caption);
  if ([...caption].length > CAPTION_MAX_LENGTH) {
    return telegramError(400, 'Bad Request: message caption is too long');
  }
  const written = textOf(request.fields[field]);
  const attached = written.startsWith('attach://') ? written.slice('attach://'.length) : field;
  const upload = request.files.find((file) => file.field === attached);
  const known = providers.state.files.get(written);
  if (upload) return send(call, caption, [storeFile(providers, account, upload)]);
  if (known?.account === keyOf(account)) {
    return send(call, caption, [{ id: known.id, name: known.name, type: known.type, size: known.size }]);
  }
  if (/^https?:/.test(written)) {
    return telegramError(400, 'Bad Request: failed to get HTTP URL content');
  }
  return telegramError(400, `Bad Request: there is no ${field} in the request`);
}

function send({ providers, request, account }: BotCall, text: string, files: SentFile[]): HttpResponse {
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
  const message = acceptSend(providers, account, chat, { id: String(countedId()), text, files, label });
  return telegramOk(telegramMessage({ providers, account, chat, message }));
}

function describeFile({ providers, request, account }: BotCall): HttpResponse {
  const file = providers.state.files.get(textOf(request.fields.file_id));
  if (!file || file.account !== keyOf(account)) return telegramError(400, 'Bad Request: invalid file_id');
  return telegramOk({
    file_id: file.id,
    file_unique_id: `u${file.id}`,
    file_size: file.size,
    file_path: `documents/${file.id}/${encodeURIComponent(file.name)}`,
  });
}

function downloadFile(providers: Providers, token: string, path: string): HttpResponse {
  const account = findBot(providers, token);
  if (!account) return telegramError(401, 'Unauthorized');
  const file = providers.state.files.get(path.split('/')[1] ?? '');
  if (!file || file.account !== keyOf(account)) return telegramError(404, 'Not Found');
  return raw(file.content, 'application/octet-stream');
}
