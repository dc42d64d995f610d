import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { connectMessenger, subscribeMessenger } from '#server/inbox/channels/meta/connect-messenger.ts';
import { testMetaAccount } from '#server/inbox/channels/meta/meta-account.ts';
import { metaFields } from '#server/inbox/channels/meta/meta-fields.ts';
import { pageWebhook } from '#server/inbox/channels/meta/page-webhook.ts';
import { sendMessenger } from '#server/inbox/channels/meta/send-messenger.ts';
import { warnOfWindow } from '#server/inbox/channels/meta/warn-of-window.ts';

/** Messenger of a Facebook page (developers.facebook.com/docs/messenger-platform). */
export const messengerChannel: ChannelAdapter = {
  ...accountChannelStatus('messenger'),
  warning: (db, conversation) => warnOfWindow(db, 'messenger', conversation),
  send: sendMessenger,
  accounts: {
    fields: metaFields(
      {
        name: 'pageId',
        label: 'Page ID',
        hint: 'Under About, Page transparency, of your Facebook page.',
        secret: false,
      },
      'Of the page, under Messenger API Settings of your app. One that does not end saves connecting it again.',
    ),
    showsVerifyToken: true,
    steps: [
      'Create an app with Messenger at developers.facebook.com, add your page there, and generate its token. To answer after 24 hours, ask for the Human Agent permission.',
      'Connect it here, then enter the address and the verify token under Messenger API Settings, Webhooks, and subscribe to messages, message_echoes, message_edits and messaging_postbacks.',
    ],
    connect: connectMessenger,
    subscribe: subscribeMessenger,
    test: ({ credentials, externalId }) =>
      testMetaAccount('messenger', { token: credentials.accessToken ?? '', id: externalId }),
    webhook: pageWebhook,
  },
};
