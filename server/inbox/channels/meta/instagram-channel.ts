import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type {
  ChannelAdapter,
  ConnectedAccount,
  ConnectResult,
  OutgoingMessage,
  SendOutcome,
} from '#server/inbox/channels/channel-adapter.ts';
import { warnOfWindow } from '#server/inbox/channels/meta/message-window.ts';
import {
  inspectToken,
  metaFields,
  requestAccount,
  subscribeApp,
  testMetaAccount,
} from '#server/inbox/channels/meta/meta-account.ts';
import { pageWebhook } from '#server/inbox/channels/meta/receive-page.ts';
import { sendPage } from '#server/inbox/channels/meta/send-page.ts';
import { splitBytes } from '#server/inbox/channels/sending/split-text.ts';

/** Maximum size of a text message in UTF-8 (Instagram, send messages). */
const TEXT_MAX_BYTES = 1000;
const MB = 1024 * 1024;
/** Accepted media types and sizes (Instagram, upload media). */
const MEDIA = [
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

const accountShape = z.object({ id: z.string(), username: z.string().catch(''), name: z.string().catch('') });

const ACCOUNT = { name: 'accountId', label: 'Account ID' };

/**
 * Webhook fields that the app subscribes to (Messenger Platform, webhooks). Updates of an Instagram account arrive
 * through its linked page.
 */
export const PAGE_UPDATES = {
  messenger: 'messages,message_echoes,message_edits,message_reactions,messaging_postbacks',
  instagram: 'messages',
} as const;

/** Direct messages to a professional Instagram account, through its linked Facebook page. */
export const instagramChannel: ChannelAdapter = {
  ...accountChannelStatus('instagram'),
  warning: (db, conversation) => warnOfWindow(db, 'instagram', conversation),
  send: sendInstagram,
  accounts: {
    fields: metaFields(
      {
        name: 'accountId',
        label: 'Account ID',
        hint: 'The ID of your professional account, in your app under Instagram > API setup with Facebook login.',
        secret: false,
      },
      'The token of the Facebook page that is linked to the account, with instagram_basic, instagram_manage_messages and pages_manage_metadata.',
    ),
    showsVerifyToken: true,
    steps: [
      'Link your professional account to a Facebook page, and allow access to messages in Instagram under Settings > Messages and story replies. Create an app with Instagram at developers.facebook.com.',
      'Enter its values below.',
    ],
    webhookStep:
      'Enter the address and the verify token in your app under Instagram > Webhooks, and subscribe to messages, message_edit, message_reactions and messaging_postbacks.',
    connect: connectInstagram,
    subscribe: subscribeInstagram,
    test: testMetaAccount,
    webhook: pageWebhook,
  },
};

/** Verifies the account id with the token of the linked page, and reads the account's name. */
async function connectInstagram(fields: Record<string, string>): Promise<ConnectResult> {
  const { accountId = '', accessToken = '', appSecret = '' } = fields;
  const query = { fields: 'id,username,name' };
  const account = accountShape.safeParse(await requestAccount(fields, ACCOUNT, query)).data;
  if (account?.id !== accountId) {
    throw invalid({ accountId: ['Instagram has no account with this Account ID. Copy it again.'] });
  }
  const { username, name } = account;
  return {
    externalId: accountId,
    name: username === '' ? name || accountId : `@${username}`,
    credentials: { accessToken, appSecret },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}

/** Subscribes the token's app to the linked page, through which Instagram updates arrive. */
async function subscribeInstagram({ credentials }: ConnectedAccount): Promise<void> {
  const query = { subscribed_fields: PAGE_UPDATES.instagram };
  await subscribeApp({ token: credentials.accessToken ?? '', id: 'me', query }, ACCOUNT);
}

function sendInstagram(message: OutgoingMessage): Promise<SendOutcome> {
  return sendPage(message, {
    channel: 'instagram',
    split: (text) => splitBytes(text, TEXT_MAX_BYTES),
    mediaOf: (contentType) => MEDIA.find(({ contentTypes }) => contentTypes.includes(contentType)) ?? null,
    uploadFields: { platform: 'instagram' },
  });
}
