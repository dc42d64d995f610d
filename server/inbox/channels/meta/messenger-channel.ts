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
import { PAGE_UPDATES } from '#server/inbox/channels/meta/instagram-channel.ts';
import { warnOfWindow } from '#server/inbox/channels/meta/message-window.ts';
import {
  askAboutAccount,
  inspectToken,
  metaFields,
  subscribeApp,
  testMetaAccount,
} from '#server/inbox/channels/meta/meta-account.ts';
import { pageWebhook } from '#server/inbox/channels/meta/receive-page.ts';
import { sendPage } from '#server/inbox/channels/meta/send-page.ts';
import { splitText } from '#server/inbox/channels/sending/split-text.ts';

/** The text of a message has so many characters at most (Send API, message). */
const TEXT_MAX_LENGTH = 2000;

const KINDS = ['image', 'video', 'audio'];

const FILE_MAX_BYTES = 25 * 1024 * 1024;

const pageShape = z.object({ id: z.string(), name: z.string().catch('') });

const PAGE = { name: 'pageId', label: 'Page ID' };

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
    test: testMetaAccount,
    webhook: pageWebhook,
  },
};

/** Asks Facebook which page it is, with the token of that page. */
async function connectMessenger(fields: Record<string, string>): Promise<ConnectResult> {
  const { pageId = '', accessToken = '', appSecret = '' } = fields;
  const page = pageShape.safeParse(await askAboutAccount(fields, PAGE, { fields: 'id,name' })).data;
  if (page?.id !== pageId) {
    throw invalid({ pageId: ['Facebook has no page of this Page ID. Copy it again.'] });
  }
  return {
    externalId: pageId,
    name: page.name || pageId,
    credentials: { accessToken, appSecret },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}

/** Has Facebook send what happens on the page to the app of the token. */
async function subscribeMessenger({ credentials, externalId }: ConnectedAccount): Promise<void> {
  const query = { subscribed_fields: PAGE_UPDATES.messenger };
  await subscribeApp({ token: credentials.accessToken ?? '', id: externalId, query }, PAGE);
}

/** Sends a message to a person on Messenger. */
function sendMessenger(message: OutgoingMessage): Promise<SendOutcome> {
  return sendPage(message, {
    channel: 'messenger',
    split: (text) => splitText(text, TEXT_MAX_LENGTH),
    mediaOf: (contentType) => {
      const kind = contentType.split('/')[0] ?? '';
      return { type: KINDS.includes(kind) ? kind : 'file', maxBytes: FILE_MAX_BYTES };
    },
    uploadFields: {},
  });
}
