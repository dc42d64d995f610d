import { bearerOf, isRecord, type ProviderRequest, textOf } from '../../http/bodies.ts';
import { type HttpResponse, json, raw } from '../../http/responses.ts';
import { acceptSend, refusalFor } from '../accept-send.ts';
import { slackId, slackTs } from '../make-ids.ts';
import { chatWith, directChannel, findPerson, unknownPerson } from '../people.ts';
import type { Providers } from '../providers.ts';
import { type Account, type Chat, keyOf, type SentFile } from '../state.ts';
import { storeFile } from '../store-file.ts';
import {
  deleteMessage,
  listHistory,
  listReplies,
  react,
  type SlackCall,
  updateMessage,
} from './message-methods.ts';
import { slackError, slackFile, slackMessage } from './slack-kind.ts';
import { fromSlack } from './slack-text.ts';

const TEXT_MAX_LENGTH = 40_000;

const METHODS: Readonly<Record<string, (call: SlackCall) => HttpResponse>> = {
  'api.test': () => json({ ok: true }),
  'auth.test': testAuth,
  'chat.postMessage': postMessage,
  'chat.update': updateMessage,
  'chat.delete': deleteMessage,
  'reactions.add': (call) => react(call, true),
  'reactions.remove': (call) => react(call, false),
  'conversations.replies': listReplies,
  'conversations.history': listHistory,
  'conversations.open': openDirectMessage,
  'conversations.info': describeConversation,
  'users.info': describeUser,
  'team.info': describeTeam,
  'files.getUploadURLExternal': startUpload,
  'files.completeUploadExternal': completeUpload,
  'files.info': describeFile,
};

/** Handles `/api/<method>`, uploads and downloads. @see https://docs.slack.dev/reference/methods */
export function handleSlack(providers: Providers, request: ProviderRequest): HttpResponse {
  const { path } = request;
  if (path.startsWith('/upload/')) return receiveUpload(providers, request);
  const token = bearerOf(request) || textOf(request.fields.token);
  const account = [...providers.state.accounts.values()].find(
    (each) => each.channel === 'slack' && each.token === token,
  );
  const isFile = path.startsWith('/files/');
  if (!account?.switches.tokenValid) {
    // Slack responds to an unauthorized download with its sign-in page, not with an error.
    if (isFile) return raw('<!DOCTYPE html><title>Sign in | Slack</title>', 'text/html; charset=utf-8');
    return slackError(token === '' ? 'not_authed' : account ? 'token_revoked' : 'invalid_auth');
  }
  if (isFile) return downloadFile(providers, account, path);
  const method = METHODS[path.replace(/^\/api\//, '')];
  if (!method) return slackError('unknown_method', { req_method: path.replace(/^\/api\//, '') });
  if (!request.readable) return slackError('invalid_json');
  return method({ providers, request, account });
}

function testAuth({ account }: SlackCall): HttpResponse {
  return json({
    ok: true,
    url: 'https://demo.slack.com/',
    team: account.name,
    user: 'inbox',
    team_id: account.externalId,
    user_id: account.slack?.botUserId ?? '',
    bot_id: 'B0STANDIN00',
    is_enterprise_install: false,
  });
}

function postMessage(call: SlackCall): HttpResponse {
  const { providers, request, account } = call;
  const { fields } = request;
  const text = textOf(fields.text);
  if (text === '' && !fields.blocks && !fields.attachments) return slackError('no_text');
  if ([...text].length > TEXT_MAX_LENGTH) return slackError('msg_too_long');
  const refused = refusalFor(account);
  if (refused) return refused;
  const chat = findChat(account, textOf(fields.channel), textOf(fields.thread_ts) || null);
  if (!chat?.place) return slackError('channel_not_found');
  const message = acceptSend(providers, account, chat, { id: slackTs(), text: fromSlack(text), files: [] });
  return json({
    ok: true,
    channel: chat.place.channel,
    ts: message.id,
    message: slackMessage({ providers, account, chat, message }),
  });
}

/** Finds a chat by channel, user or thread. Accepts ids of an earlier run too. */
function findChat(account: Account, channel: string, threadTs: string | null): Chat | undefined {
  const chats = [...account.chats.values()];
  const known =
    chats.find(({ place }) => place?.channel === channel && place.threadTs === threadTs) ??
    (channel.startsWith('D') ? chats.find(({ place }) => place?.channel === channel) : undefined);
  if (known) return known;
  const person = findPerson(account, ({ id }) => id === channel || directChannel(id) === channel);
  if (person) return chatWith(account, person);
  if (channel === account.slack?.helpChannel) {
    return chatWith(account, unknownPerson('U0SOMEBODY0'), { channel, threadTs: threadTs ?? slackTs() });
  }
  if (/^U[A-Z0-9]{8,12}$/.test(channel)) return chatWith(account, unknownPerson(channel));
  if (!/^D[A-Z0-9]{8,12}$/.test(channel)) return undefined;
  return chatWith(account, unknownPerson(channel.replace(/^D/, 'U')), { channel, threadTs: null });
}

function openDirectMessage({ request, account }: SlackCall): HttpResponse {
  const user = textOf(request.fields.users).split(',')[0] ?? '';
  if (user === '') return slackError('no_channel');
  if (user === account.slack?.botUserId) return slackError('cannot_dm_bot');
  const isUserId = /^[UW][A-Z0-9]{8,12}$/.test(user);
  const person = findPerson(account, ({ id }) => id === user) ?? (isUserId ? unknownPerson(user) : undefined);
  if (!person) return slackError('user_not_found');
  return json({
    ok: true,
    no_op: true,
    already_open: true,
    channel: { id: chatWith(account, person).place?.channel },
  });
}

function describeConversation({ request, account }: SlackCall): HttpResponse {
  const id = textOf(request.fields.channel);
  if (id === account.slack?.helpChannel) {
    return json({ ok: true, channel: { id, name: 'help', is_channel: true, is_im: false, is_member: true } });
  }
  const chat = findChat(account, id, null);
  if (!chat) return slackError('channel_not_found');
  return json({ ok: true, channel: { id, is_im: true, is_channel: false, user: chat.person.id } });
}

function describeUser({ request, account }: SlackCall): HttpResponse {
  const id = textOf(request.fields.user);
  const person = findPerson(account, (each) => each.id === id);
  if (!person) return slackError('user_not_found');
  const { name, username } = person;
  return json({
    ok: true,
    user: {
      id,
      team_id: account.externalId,
      name: username,
      deleted: false,
      real_name: name,
      tz: 'Europe/London',
      profile: { real_name: name, display_name: username, email: `${username}@demo-team.example` },
      is_bot: false,
    },
  });
}

function describeTeam({ account }: SlackCall): HttpResponse {
  return json({ ok: true, team: { id: account.externalId, name: account.name, domain: 'demo' } });
}

function startUpload({ providers, request, account }: SlackCall): HttpResponse {
  const name = textOf(request.fields.filename);
  const length = Number(textOf(request.fields.length));
  if (!name || !(length > 0)) return slackError('invalid_arguments');
  const file = { name, type: 'application/octet-stream', content: Buffer.alloc(0) };
  const { id } = storeFile(providers, account, file, slackId('F'));
  return json({ ok: true, upload_url: `${providers.settings.url}/slack/upload/${id}`, file_id: id });
}

/** Receives an upload as raw bytes or as a form. Its URL is the only secret. */
function receiveUpload({ state }: Providers, request: ProviderRequest): HttpResponse {
  const file = state.files.get(request.path.split('/')[2] ?? '');
  if (!file) return { status: 404, content: 'Not found', type: 'text/plain' };
  const [upload] = request.files;
  file.content = upload?.content ?? request.body;
  file.size = file.content.length;
  if (upload?.type) file.type = upload.type;
  return raw(`OK - ${file.size}`, 'text/plain');
}

function completeUpload({ providers, request, account }: SlackCall): HttpResponse {
  const { fields } = request;
  const written: unknown = typeof fields.files === 'string' ? parse(fields.files) : fields.files;
  const files: SentFile[] = [];
  for (const entry of Array.isArray(written) ? written.filter(isRecord) : []) {
    const stored = providers.state.files.get(textOf(entry.id));
    if (!stored || stored.account !== keyOf(account)) return slackError('file_not_found');
    if (entry.title) stored.name = textOf(entry.title);
    stored.type = guessType(stored.name, stored.type);
    files.push({ id: stored.id, name: stored.name, type: stored.type, size: stored.size });
  }
  if (files.length === 0) return slackError('invalid_arguments');
  const channel = textOf(fields.channel_id);
  if (channel !== '') {
    const refused = refusalFor(account);
    if (refused) return refused;
    const chat = findChat(account, channel, textOf(fields.thread_ts) || null);
    if (!chat) return slackError('channel_not_found');
    const text = fromSlack(textOf(fields.initial_comment));
    acceptSend(providers, account, chat, { id: slackTs(), text, files });
  }
  return json({ ok: true, files: files.map((file) => slackFile(providers.settings.url, file)) });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
  txt: 'text/plain',
};

function guessType(name: string, type: string): string {
  return type === 'application/octet-stream'
    ? (TYPES[name.split('.').pop()?.toLowerCase() ?? ''] ?? type)
    : type;
}

function describeFile({ providers, request, account }: SlackCall): HttpResponse {
  const file = providers.state.files.get(textOf(request.fields.file));
  if (!file || file.account !== keyOf(account)) return slackError('file_not_found');
  return json({ ok: true, file: slackFile(providers.settings.url, file) });
}

function downloadFile({ state }: Providers, account: Account, path: string): HttpResponse {
  const file = state.files.get(path.split('/')[2] ?? '');
  if (!file || file.account !== keyOf(account))
    return { status: 404, content: 'Not found', type: 'text/plain' };
  return raw(file.content, file.type);
}
