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
  inspectToken,
  metaFields,
  requestAccount,
  subscribeApp,
  testMetaAccount,
} from '#server/inbox/channels/meta/meta-account.ts';
import { pageWebhook } from '#server/inbox/channels/meta/receive-page.ts';
import { sendPage } from '#server/inbox/channels/meta/send-page.ts';
import { splitText } from '#server/inbox/channels/sending/split-text.ts';

/** Maximum length of a text message (Send API, message). */
const TEXT_MAX_LENGTH = 2000;

const KINDS = ['image', 'video', 'audio'];

const FILE_MAX_BYTES = 25 * 1024 * 1024;

const pageShape = z.object({ id: z.string(), name: z.string().catch('') });

const PAGE = { name: 'pageId', label: 'Page ID' };

/** Messenger for a Facebook page (developers.facebook.com/docs/messenger-platform). */
export const messengerChannel: ChannelAdapter = {
  ...accountChannelStatus('messenger'),
  warning: (db, conversation) => warnOfWindow(db, 'messenger', conversation),
  send: sendMessenger,
  accounts: {
    fields: metaFields(
      {
        name: 'pageId',
        label: 'Page ID',
        hint: 'On your Facebook page under About > Page transparency.',
        secret: false,
      },
      'The token of the page, in your app under Messenger API Settings. A token that never expires saves you from reconnecting.',
    ),
    showsVerifyToken: true,
    steps: [
      'Create an app with Messenger at developers.facebook.com, add your page there, and generate its token. To reply after 24 hours, request the Human Agent permission.',
      'Enter its values below.',
    ],
    webhookStep:
      'Enter the address and the verify token under Messenger API Settings > Webhooks, and subscribe to messages, message_echoes, message_edits, message_reactions and messaging_postbacks.',
    connect: connectMessenger,
    subscribe: subscribeMessenger,
    test: testMetaAccount,
    webhook: pageWebhook,
  },
};

/** Verifies the page id with the page's token, and reads the page's name. */
async function connectMessenger(fields: Record<string, string>): Promise<ConnectResult> {
  const { pageId = '', accessToken = '', appSecret = '' } = fields;
  const page = pageShape.safeParse(await requestAccount(fields, PAGE, { fields: 'id,name' })).data;
  if (page?.id !== pageId) {
    throw invalid({ pageId: ['Facebook has no page with this Page ID. Copy it again.'] });
  }
  return {
    externalId: pageId,
    name: page.name || pageId,
    credentials: { accessToken, appSecret },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}

/** Subscribes the token's app to the updates of the page. */
async function subscribeMessenger({ credentials, externalId }: ConnectedAccount): Promise<void> {
  const query = { subscribed_fields: PAGE_UPDATES.messenger };
  await subscribeApp({ token: credentials.accessToken ?? '', id: externalId, query }, PAGE);
}

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
