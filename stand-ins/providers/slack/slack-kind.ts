import { type HttpResponse, json } from '../../http/responses.ts';
import { slackId, slackTs } from '../make-ids.ts';
import type { ChannelKind, Occurrence } from '../occurrence.ts';
import type { Account, Message, SentFile } from '../state.ts';
import { toSlack } from './slack-text.ts';

/** Creates an error response: Slack uses 200 with `ok: false`. @see https://docs.slack.dev/apis/web-api/#responses */
export function slackError(error: string, details: object = {}): HttpResponse {
  return json({ ok: false, error, ...details });
}

/** Builds an event. @see https://docs.slack.dev/apis/events-api/#event-type-structure */
function envelope({ account }: Occurrence, event: object) {
  const appId = account.slack?.appId ?? '';
  return {
    token: 'unused-verification-token',
    team_id: account.externalId,
    context_team_id: account.externalId,
    context_enterprise_id: null,
    api_app_id: appId,
    event,
    type: 'event_callback',
    event_id: slackId('Ev'),
    event_time: Math.floor(Date.now() / 1_000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: account.externalId,
        user_id: account.slack?.botUserId ?? '',
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${slackId('E')}`,
  };
}

/** Returns a file as in a message; its URL needs the bot's token. */
export function slackFile(url: string, { id, name, type, size }: SentFile) {
  const address = `${url}/slack/files/${id}/${encodeURIComponent(name)}`;
  return {
    id,
    name,
    title: name,
    mimetype: type,
    filetype: name.split('.').pop() ?? '',
    size,
    mode: 'hosted',
    is_external: false,
    file_access: 'visible',
    url_private: address,
    url_private_download: address,
  };
}

/** Returns the fields of a message, for events and for responses to a send. */
export function slackMessage({ providers, account, chat, message }: Occurrence) {
  const isOut = message.direction === 'out';
  return {
    type: 'message',
    user: isOut ? (account.slack?.botUserId ?? '') : chat.person.id,
    ...(isOut
      ? { bot_id: 'B0STANDIN00', app_id: account.slack?.appId ?? '' }
      : { client_msg_id: clientId(message) }),
    text: toSlack(message.text),
    ...(message.text === '' ? {} : { blocks: [richText(message)] }),
    team: account.externalId,
    ts: message.id,
    ...(chat.place?.threadTs && chat.place.threadTs !== message.id ? { thread_ts: chat.place.threadTs } : {}),
    ...(message.files.length > 0
      ? { files: message.files.map((file) => slackFile(providers.settings.url, file)) }
      : {}),
  };
}

/** Returns the block that Slack adds to a message, with its words as one element. */
function richText({ id, text }: Message) {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', block_id: id.slice(-5), elements: [section] };
}

function clientId({ id }: Message): string {
  return `00000000-0000-4000-8000-${id.replace('.', '').slice(-12).padStart(12, '0')}`;
}

function isDirect({ chat }: Occurrence): boolean {
  return chat.place?.channel.startsWith('D') ?? true;
}

function place(occurrence: Occurrence) {
  const channel = occurrence.chat.place?.channel ?? '';
  return { channel, channel_type: isDirect(occurrence) ? 'im' : 'channel' };
}

/** Builds the events of a message. A mention in a channel is two events with one `ts`: a mention and a message. */
function wrote(occurrence: Occurrence): unknown[] {
  const { account, message, chat } = occurrence;
  const content = { ...slackMessage(occurrence), event_ts: message.id };
  const event = {
    ...content,
    ...(message.files.length > 0 ? { subtype: 'file_share' } : {}),
    ...place(occurrence),
  };
  const isMention = !isDirect(occurrence) && message.text.includes(mentionOf(account));
  if (!isMention) return [envelope(occurrence, event)];
  const mention = { ...content, type: 'app_mention', channel: chat.place?.channel ?? '' };
  return [envelope(occurrence, mention), envelope(occurrence, event)];
}

/** Returns the text of a mention of the bot. */
export function mentionOf({ slack }: Account): string {
  return `<@${slack?.botUserId ?? ''}>`;
}

/** Slack's names of the supported reactions. */
const EMOJI_NAMES: Readonly<Record<string, string>> = {
  '👍': '+1',
  '❤️': 'heart',
  '😆': 'laughing',
  '😢': 'cry',
};

/**
 * Slack's Events API. Slack sends no read receipts.
 * @see https://docs.slack.dev/reference/events
 */
export const slackKind: ChannelKind = {
  label: 'Slack',
  newMessageId: slackTs,
  filesPerMessage: 10,
  textWithFiles: true,
  wrote,
  edited: (occurrence) => {
    const ts = slackTs();
    const { user, ...message } = slackMessage(occurrence);
    return envelope(occurrence, {
      type: 'message',
      subtype: 'message_changed',
      message: { ...message, user, edited: { user, ts } },
      previous_message: { ...message, user },
      hidden: true,
      ts,
      event_ts: ts,
      ...place(occurrence),
    });
  },
  removed: (occurrence) => {
    const { id } = occurrence.message;
    const previous = slackMessage(occurrence);
    const { place: at, messages } = occurrence.chat;
    const hasReplies = at?.threadTs === id && messages.length > 1;
    const ts = slackTs();
    const tombstone = {
      type: 'message',
      subtype: 'tombstone',
      text: 'This message was deleted.',
      user: 'USLACKBOT',
      hidden: true,
      ts: id,
      thread_ts: id,
    };
    return envelope(occurrence, {
      type: 'message',
      // The first message of a thread with replies stays, without its text.
      ...(hasReplies
        ? { subtype: 'message_changed', message: tombstone }
        : { subtype: 'message_deleted', deleted_ts: id }),
      previous_message: previous,
      hidden: true,
      ts,
      event_ts: ts,
      ...place(occurrence),
    });
  },
  reacted: (occurrence, emoji) =>
    envelope(occurrence, {
      type: emoji ? 'reaction_added' : 'reaction_removed',
      user: occurrence.chat.person.id,
      reaction: EMOJI_NAMES[emoji] ?? 'question',
      item: { type: 'message', channel: occurrence.chat.place?.channel ?? '', ts: occurrence.message.id },
      event_ts: slackTs(),
    }),
  receipt: () => null,
  refusals: {
    channel_not_found: { label: 'channel_not_found', response: slackError('channel_not_found') },
    not_in_channel: { label: 'not_in_channel', response: slackError('not_in_channel') },
    is_archived: { label: 'is_archived', response: slackError('is_archived') },
    invalid_auth: { label: 'invalid_auth', response: slackError('invalid_auth') },
    token_revoked: { label: 'token_revoked', response: slackError('token_revoked') },
    account_inactive: { label: 'account_inactive', response: slackError('account_inactive') },
    ratelimited: {
      label: 'ratelimited (429)',
      response: json({ ok: false, error: 'ratelimited' }, 429, { 'Retry-After': '3' }),
    },
    fatal_error: { label: 'fatal_error', response: slackError('fatal_error') },
    hang: { label: 'No response', response: 'hang' },
  },
  lateFailures: [],
};
