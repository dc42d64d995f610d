import { createHash } from 'node:crypto';
import { wamid } from '../make-ids.ts';
import type { ChannelKind, LateFailure, Occurrence } from '../occurrence.ts';
import type { Account, Chat, SentFile } from '../state.ts';
import { graphError, invalidParameter, invalidToken } from './graph-error.ts';

/** Returns Meta's media type for a content type. */
export function mediaKind(type: string): 'image' | 'video' | 'audio' | 'document' {
  const kind = type.split('/')[0];
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document';
}

const WINDOW_CLOSED =
  'Message failed to send because more than 24 hours have passed since the customer last replied to this number.';
const UNDELIVERABLE = 'Message Undeliverable.';

const seconds = (at = new Date()): string => String(Math.floor(at.getTime() / 1_000));

function contactOf({ person }: Chat) {
  return {
    profile: { name: person.name, ...(person.phone ? {} : { username: person.username }) },
    ...(person.phone ? { wa_id: person.phone } : {}),
    user_id: person.id,
  };
}

function senderOf({ person }: Chat) {
  return { ...(person.phone ? { from: person.phone } : {}), from_user_id: person.id };
}

/** Builds a webhook of a business account with one change. */
function envelope(account: Account, value: object) {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: account.businessAccountId ?? '0',
        changes: [
          {
            value: {
              messaging_product: 'whatsapp',
              metadata: {
                display_phone_number: (account.phone ?? '').replaceAll(/\D/g, ''),
                phone_number_id: account.externalId,
              },
              ...value,
            },
            field: 'messages',
          },
        ],
      },
    ],
  };
}

function contentOf({ providers, message }: Occurrence) {
  const [file] = message.files;
  if (!file) return { type: 'text', text: { body: message.text } };
  const kind = mediaKind(file.type);
  return {
    type: kind,
    [kind]: {
      ...(message.text ? { caption: message.text } : {}),
      ...(kind === 'document' ? { filename: file.name } : {}),
      mime_type: file.type,
      sha256: hashOf(providers, file),
      id: file.id,
      url: `${providers.settings.url}/meta/media/${file.id}`,
    },
  };
}

function hashOf({ state }: Occurrence['providers'], { id }: SentFile): string {
  const content = state.files.get(id)?.content ?? Buffer.alloc(0);
  return createHash('sha256').update(content).digest('base64');
}

function incoming({ account, chat }: Occurrence, message: object) {
  return envelope(account, { contacts: [contactOf(chat)], messages: [{ ...senderOf(chat), ...message }] });
}

/**
 * WhatsApp Cloud API.
 * @see https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
 * @see https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
 */
export const whatsappKind: ChannelKind = {
  label: 'WhatsApp',
  newMessageId: wamid,
  filesPerMessage: 1,
  textWithFiles: true,
  wrote: (occurrence) => {
    const { id, at } = occurrence.message;
    return [incoming(occurrence, { id, timestamp: seconds(at), ...contentOf(occurrence) })];
  },
  edited: (occurrence) =>
    incoming(occurrence, {
      id: wamid(),
      timestamp: seconds(),
      type: 'edit',
      edit: { original_message_id: occurrence.message.id, message: contentOf(occurrence) },
    }),
  removed: (occurrence) =>
    incoming(occurrence, {
      id: wamid(),
      timestamp: seconds(),
      type: 'revoke',
      revoke: { original_message_id: occurrence.message.id },
    }),
  reacted: (occurrence, emoji) =>
    incoming(occurrence, {
      id: wamid(),
      timestamp: seconds(),
      type: 'reaction',
      reaction: { message_id: occurrence.message.id, emoji },
    }),
  receipt: ({ account, chat, message }, status, failure) =>
    envelope(account, {
      ...(status === 'failed' ? {} : { contacts: [contactOf(chat)] }),
      statuses: [
        {
          id: message.id,
          status,
          timestamp: seconds(),
          ...(chat.person.phone ? { recipient_id: chat.person.phone } : {}),
          recipient_user_id: chat.person.id,
          ...(failure
            ? { errors: [errorOf(failure)] }
            : {
                pricing: {
                  billable: false,
                  pricing_model: 'PMP',
                  category: 'service',
                  type: 'free_customer_service',
                },
              }),
        },
      ],
    }),
  refusals: {
    '131047': refusal(
      '131047 Re-engagement message (window closed)',
      131047,
      'Re-engagement message',
      WINDOW_CLOSED,
    ),
    '131026': refusal('131026 Message undeliverable', 131026, 'Message undeliverable', UNDELIVERABLE),
    '131056': refusal(
      '131056 Pair rate limit',
      131056,
      '(Business Account, Consumer Account) pair rate limit hit',
      'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.',
    ),
    '130429': refusal(
      '130429 Rate limit hit',
      130429,
      'Rate limit hit',
      'Message failed to send because there were too many messages sent from this phone number in a short period of time.',
      429,
    ),
    '131000': refusal(
      '131000 Something went wrong',
      131000,
      'Something went wrong',
      'Message failed to send because of an unknown error.',
      500,
    ),
    '100': {
      label: '100 Invalid parameter',
      response: invalidParameter('The parameter text.body is required.'),
    },
    '190': { label: '190 Invalid access token', response: invalidToken() },
    hang: { label: 'No response', response: 'hang' },
  },
  lateFailures: [
    { code: 131047, title: 'Re-engagement message', details: WINDOW_CLOSED },
    { code: 131026, title: 'Message undeliverable', details: UNDELIVERABLE },
    {
      code: 131053,
      title: 'Media upload error',
      details: 'Unable to upload the media used in the message.',
    },
    {
      code: 131049,
      title: 'This message was not delivered to maintain healthy ecosystem engagement.',
      details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
    },
  ],
};

function refusal(label: string, code: number, title: string, details: string, status = 400) {
  return { label, response: graphError({ message: `(#${code}) ${title}`, code, details, status }) };
}

function errorOf({ code, title, details }: LateFailure) {
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes/',
  };
}
