import { instagramMid, messengerMid } from '../make-ids.ts';
import type { ChannelKind, Occurrence, Refusal } from '../occurrence.ts';
import { graphError, invalidToken, UPLOAD_FAILURE_SUBCODE, uploadFailure } from './graph-error.ts';
import { mediaKind } from './whatsapp-kind.ts';

type Product = 'page' | 'instagram';

/** Builds a webhook with one event from the person to the account; for an echo, the other way round. */
function envelope({ account, chat }: Occurrence, product: Product, event: object, isEcho = false) {
  const [sender, recipient] = isEcho
    ? [account.externalId, chat.person.id]
    : [chat.person.id, account.externalId];
  const timestamp = Date.now();
  return {
    object: product,
    entry: [
      {
        time: timestamp,
        id: account.externalId,
        messaging: [{ sender: { id: sender }, recipient: { id: recipient }, timestamp, ...event }],
      },
    ],
  };
}

function attachments({ providers, message }: Occurrence) {
  if (message.files.length === 0) return {};
  return {
    attachments: message.files.map((file) => ({
      type: mediaKind(file.type) === 'document' ? 'file' : mediaKind(file.type),
      payload: { url: `${providers.settings.url}/files/${file.id}/${encodeURIComponent(file.name)}` },
    })),
  };
}

/** Builds the echo of a message from the account. */
export function echoOf(occurrence: Occurrence, product: Product, appId: string): unknown {
  const { id, text } = occurrence.message;
  const message = {
    mid: id,
    is_echo: true,
    app_id: Number(appId),
    ...(text ? { text } : {}),
    ...attachments(occurrence),
  };
  return envelope(occurrence, product, { message }, true);
}

/** Messenger's names of reactions. */
const REACTIONS: Readonly<Record<string, string>> = { '❤️': 'love', '👍': 'like', '😆': 'smile', '😢': 'sad' };

/**
 * Messenger and Instagram, whose webhooks have the same shape.
 * @see https://developers.facebook.com/docs/messenger-platform/reference/webhook-events
 * @see https://developers.facebook.com/docs/messenger-platform/instagram/features/webhook
 */
function kindOf(
  product: Product,
  rest: Pick<ChannelKind, 'label' | 'newMessageId' | 'refusals'>,
): ChannelKind {
  return {
    ...rest,
    filesPerMessage: 10,
    textWithFiles: false,
    wrote: (occurrence) => {
      const { id, text } = occurrence.message;
      return [
        envelope(occurrence, product, {
          message: { mid: id, ...(text ? { text } : {}), ...attachments(occurrence) },
        }),
      ];
    },
    edited: (occurrence) => {
      const { id, text, edits } = occurrence.message;
      return envelope(occurrence, product, { message_edit: { mid: id, text, num_edit: edits } });
    },
    // Instagram reports unsent messages, Messenger does not.
    removed: (occurrence) =>
      product === 'page'
        ? null
        : envelope(occurrence, product, { message: { mid: occurrence.message.id, is_deleted: true } }),
    reacted: (occurrence, emoji) =>
      envelope(occurrence, product, {
        reaction: {
          mid: occurrence.message.id,
          action: emoji ? 'react' : 'unreact',
          ...(emoji ? { reaction: REACTIONS[emoji] ?? 'other', emoji } : {}),
        },
      }),
    receipt: (occurrence, status) => {
      const { id } = occurrence.message;
      const watermark = Date.now();
      if (status === 'read') {
        return envelope(occurrence, product, { read: product === 'page' ? { watermark } : { mid: id } });
      }
      // Instagram reports only read messages, not delivered ones.
      if (status !== 'delivered' || product === 'instagram') return null;
      return envelope(occurrence, product, { delivery: { mids: [id], watermark } });
    },
    lateFailures: [],
  };
}

const COMMON: Readonly<Record<string, Refusal>> = {
  '551': {
    label: '551 Person not available',
    response: graphError({
      message: "(#551) This person isn't available right now.",
      code: 551,
      subcode: 1545041,
    }),
  },
  '2018001': {
    label: '100 No matching user found',
    response: graphError({ message: '(#100) No matching user found', code: 100, subcode: 2018001 }),
  },
  [UPLOAD_FAILURE_SUBCODE]: { label: '100 Upload attachment failure', response: uploadFailure() },
  '613': {
    label: '613 Rate limit',
    response: graphError({ message: '(#613) Calls to this API have exceeded the rate limit.', code: 613 }),
  },
  '1200': {
    label: '1200 Temporary failure',
    response: graphError({
      message: '(#1200) Temporary send message failure. Please try again later.',
      code: 1200,
      status: 500,
    }),
  },
  '190': { label: '190 Invalid access token', response: invalidToken() },
  hang: { label: 'No response', response: 'hang' },
};

export const messengerKind = kindOf('page', {
  label: 'Messenger',
  newMessageId: messengerMid,
  refusals: {
    '2018278': {
      label: '10 Outside of the allowed window',
      response: graphError({
        message:
          '(#10) This message is sent outside of allowed window. Learn more about the new policy here: https://developers.facebook.com/docs/messenger-platform/policy-overview',
        code: 10,
        subcode: 2018278,
      }),
    },
    ...COMMON,
  },
});

export const instagramKind = kindOf('instagram', {
  label: 'Instagram',
  newMessageId: instagramMid,
  refusals: {
    '2534022': {
      label: '10 Outside of the allowed window',
      response: graphError({
        message: 'This message is sent outside of allowed window.',
        type: 'IGApiException',
        code: 10,
        subcode: 2534022,
        status: 403,
      }),
    },
    ...COMMON,
  },
});
