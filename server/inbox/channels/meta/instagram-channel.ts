import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { connectInstagram, subscribeInstagram } from '#server/inbox/channels/meta/connect-instagram.ts';
import { testMetaAccount } from '#server/inbox/channels/meta/meta-account.ts';
import { metaFields } from '#server/inbox/channels/meta/meta-fields.ts';
import { pageWebhook } from '#server/inbox/channels/meta/page-webhook.ts';
import { sendInstagram } from '#server/inbox/channels/meta/send-instagram.ts';
import { warnOfWindow } from '#server/inbox/channels/meta/warn-of-window.ts';

/** Direct messages to a professional account of Instagram, over the Facebook page that is linked to it. */
export const instagramChannel: ChannelAdapter = {
  ...accountChannelStatus('instagram'),
  warning: (db, conversation) => warnOfWindow(db, 'instagram', conversation),
  send: sendInstagram,
  accounts: {
    fields: metaFields(
      {
        name: 'accountId',
        label: 'Account ID',
        hint: 'Of your professional account, under Instagram, API setup with Facebook login, of your app.',
        secret: false,
      },
      'Of the Facebook page that is linked to the account, with instagram_basic, instagram_manage_messages and pages_manage_metadata.',
    ),
    showsVerifyToken: true,
    steps: [
      'Link your professional account to a Facebook page, and allow access to messages in Instagram under Settings, Messages and story replies. Create an app with Instagram at developers.facebook.com.',
      'Connect it here, then enter the address and the verify token under Instagram, Webhooks, of your app, and subscribe to messages, message_edit and messaging_postbacks.',
    ],
    connect: connectInstagram,
    subscribe: subscribeInstagram,
    test: ({ credentials, externalId }) =>
      testMetaAccount('instagram', { token: credentials.accessToken ?? '', id: externalId }),
    webhook: pageWebhook,
  },
};
