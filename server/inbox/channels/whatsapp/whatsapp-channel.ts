import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { warnOfWindow } from '#server/inbox/channels/meta/message-window.ts';
import { metaFields, testMetaAccount } from '#server/inbox/channels/meta/meta-account.ts';
import { verifyMeta } from '#server/inbox/channels/meta/meta-webhook.ts';
import { digestOfBody } from '#server/inbox/channels/received-update.ts';
import { connectWhatsapp, subscribeWhatsapp } from '#server/inbox/channels/whatsapp/connect-whatsapp.ts';
import { numbersIn, receiveWhatsapp } from '#server/inbox/channels/whatsapp/receive-whatsapp.ts';
import { sendWhatsapp } from '#server/inbox/channels/whatsapp/send-whatsapp.ts';

/** WhatsApp through its Cloud API (developers.facebook.com/documentation/business-messaging/whatsapp). */
export const whatsappChannel: ChannelAdapter = {
  ...accountChannelStatus('whatsapp'),
  warning: (db, conversation) => warnOfWindow(db, 'whatsapp', conversation),
  send: sendWhatsapp,
  accounts: {
    fields: [
      ...metaFields(
        {
          name: 'phoneNumberId',
          label: 'Phone number ID',
          hint: 'In your app at developers.facebook.com under WhatsApp > API Setup. It is not the phone number itself.',
          secret: false,
        },
        'The token of a system user of your business, with whatsapp_business_messaging and whatsapp_business_management.',
      ),
      {
        name: 'businessAccountId',
        label: 'Business account ID',
        hint: 'Only for templates. Under WhatsApp > API Setup, below the number.',
        secret: false,
        optional: true,
      },
    ],
    showsVerifyToken: true,
    steps: [
      'At developers.facebook.com, create an app with WhatsApp, add your number, and create a system user token.',
      'Enter its values below.',
    ],
    webhookStep:
      'Enter the address and the verify token under WhatsApp > Configuration, and subscribe to messages. If you also use the number in the WhatsApp Business app, subscribe to smb_message_echoes.',
    connect: connectWhatsapp,
    subscribe: subscribeWhatsapp,
    test: testMetaAccount,
    webhook: {
      verify: verifyMeta,
      names: numbersIn,
      updateId: digestOfBody,
      storedHeaders: [],
      receive: receiveWhatsapp,
    },
  },
};
