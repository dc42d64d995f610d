import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { ChannelAdapter, ConnectResult } from '#server/inbox/channels/channel-adapter.ts';
import { warnOfWindow } from '#server/inbox/channels/meta/message-window.ts';
import {
  inspectToken,
  metaFields,
  requestAccount,
  subscribeApp,
  testMetaAccount,
} from '#server/inbox/channels/meta/meta-account.ts';
import { pageWebhook } from '#server/inbox/channels/meta/receive-page.ts';
import { type PageSending, sendPage } from '#server/inbox/channels/meta/send-page.ts';
import { splitBytes, splitText } from '#server/inbox/channels/sending/split-text.ts';

/** Maximum size of a text message on Instagram, in UTF-8, and length on Messenger (send messages). */
const INSTAGRAM_TEXT_MAX_BYTES = 1000;
const MESSENGER_TEXT_MAX_LENGTH = 2000;
const MB = 1024 * 1024;
/** Media types and sizes that Instagram accepts (Instagram, upload media). */
const INSTAGRAM_MEDIA = [
  { type: 'image', maxBytes: 8 * MB, contentTypes: ['image/png', 'image/jpeg', 'image/gif'] },
  {
    type: 'audio',
    maxBytes: 25 * MB,
    contentTypes: ['audio/aac', 'audio/mp4', 'audio/x-m4a', 'audio/m4a', 'audio/wav', 'audio/x-wav'],
  },
  {
    type: 'video',
    maxBytes: 25 * MB,
    contentTypes: ['video/mp4', 'video/ogg', 'video/x-msvideo', 'video/quicktime', 'video/webm'],
  },
  { type: 'file', maxBytes: 25 * MB, contentTypes: ['application/pdf'] },
];
const MESSENGER_KINDS = ['image', 'video', 'audio'];

/** A channel of a Facebook page, and what its form asks for. */
type PageChannel = Omit<PageSending, 'channel'> & {
  channel: PageSending['channel'];
  id: { name: string; label: string; hint: string };
  tokenHint: string;
  firstStep: string;
  webhookStep: string;
  /** Reported when the id is of something else. */
  unknown: string;
  /** Fields of the account to read, besides its id. */
  fields: string;
  /** The object that the app subscribes to, and the webhook fields (Messenger Platform, webhooks). */
  subscribes: { id?: string; to: string };
};

/** Direct messages to a professional Instagram account, through its linked Facebook page. */
export const instagramChannel = pageChannel({
  channel: 'instagram',
  id: {
    name: 'accountId',
    label: 'Account ID',
    hint: 'The ID of your professional account, in your app under Instagram > API setup with Facebook login.',
  },
  tokenHint:
    'The token of the Facebook page that is linked to the account, with instagram_basic, instagram_manage_messages and pages_manage_metadata.',
  firstStep:
    'Link your professional account to a Facebook page, and allow access to messages in Instagram under Settings > Messages and story replies. Create an app with Instagram at developers.facebook.com.',
  webhookStep:
    'Enter the address and the verify token in your app under Instagram > Webhooks, and subscribe to messages, message_edit, message_reactions and messaging_postbacks.',
  unknown: 'Instagram has no account with this Account ID. Copy it again.',
  fields: 'username,name',
  // Updates of an Instagram account arrive through its linked page.
  subscribes: { id: 'me', to: 'messages' },
  split: (text) => splitBytes(text, INSTAGRAM_TEXT_MAX_BYTES),
  mediaOf: (contentType) =>
    INSTAGRAM_MEDIA.find(({ contentTypes }) => contentTypes.includes(contentType)) ?? null,
  uploadFields: { platform: 'instagram' },
});

/** Messenger for a Facebook page (developers.facebook.com/docs/messenger-platform). */
export const messengerChannel = pageChannel({
  channel: 'messenger',
  id: {
    name: 'pageId',
    label: 'Page ID',
    hint: 'On your Facebook page under About > Page transparency.',
  },
  tokenHint:
    'The token of the page, in your app under Messenger API Settings. A token that never expires saves you from reconnecting.',
  firstStep:
    'Create an app with Messenger at developers.facebook.com, add your page there, and generate its token. To reply after 24 hours, request the Human Agent permission.',
  webhookStep:
    'Enter the address and the verify token under Messenger API Settings > Webhooks, and subscribe to messages, message_echoes, message_edits, message_reactions and messaging_postbacks.',
  unknown: 'Facebook has no page with this Page ID. Copy it again.',
  fields: 'name',
  subscribes: { to: 'messages,message_echoes,message_edits,message_reactions,messaging_postbacks' },
  split: (text) => splitText(text, MESSENGER_TEXT_MAX_LENGTH),
  mediaOf: (contentType) => {
    const kind = contentType.split('/')[0] ?? '';
    return { type: MESSENGER_KINDS.includes(kind) ? kind : 'file', maxBytes: 25 * MB };
  },
  uploadFields: {},
});

function pageChannel(page: PageChannel): ChannelAdapter {
  return {
    ...accountChannelStatus(page.channel),
    warning: (db, conversation) => warnOfWindow(db, page.channel, conversation),
    send: (message) => sendPage(message, page),
    accounts: {
      fields: metaFields({ ...page.id, secret: false }, page.tokenHint),
      showsVerifyToken: true,
      steps: [page.firstStep, 'Enter its values below.'],
      webhookStep: page.webhookStep,
      connect: (fields) => connectPage(page, fields),
      subscribe: ({ credentials, externalId }) =>
        subscribeApp(
          {
            token: credentials.accessToken ?? '',
            id: page.subscribes.id ?? externalId,
            query: { subscribed_fields: page.subscribes.to },
          },
          page.id,
        ),
      test: testMetaAccount,
      webhook: pageWebhook,
    },
  };
}

const accountShape = z.object({ id: z.string(), username: z.string().catch(''), name: z.string().catch('') });

/** Verifies the id with the page's token, and reads the account's name. */
async function connectPage(
  { channel, id, fields: read, unknown }: PageChannel,
  fields: Record<string, string>,
): Promise<ConnectResult> {
  const { [id.name]: externalId = '', accessToken = '', appSecret = '' } = fields;
  const query = { fields: `id,${read}` };
  const account = accountShape.safeParse(await requestAccount(fields, id, query)).data;
  if (account?.id !== externalId) throw invalid({ [id.name]: [unknown] });
  const { username, name } = account;
  return {
    externalId,
    name: channel === 'instagram' && username !== '' ? `@${username}` : name || externalId,
    credentials: { accessToken, appSecret },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}
