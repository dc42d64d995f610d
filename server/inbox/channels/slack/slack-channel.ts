import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';
import { digestOfBody } from '#server/inbox/channels/digest-of-body.ts';
import { connectSlack, testSlack } from '#server/inbox/channels/slack/connect-slack.ts';
import { receiveSlack, slackEventId } from '#server/inbox/channels/slack/receive-slack.ts';
import { sendSlack } from '#server/inbox/channels/slack/send-slack.ts';
import { verifySlack } from '#server/inbox/channels/slack/verify-slack.ts';

/** Slack by its Events API and Web API: direct messages to a bot, and mentions of it in channels. */
export const slackChannel: ChannelAdapter = {
  ...accountChannelStatus('slack'),
  send: sendSlack,
  accounts: {
    fields: [
      {
        name: 'botToken',
        label: 'Bot token',
        hint: 'Under OAuth & Permissions of your Slack app, once it is installed. It begins with xoxb-.',
        secret: true,
      },
      {
        name: 'signingSecret',
        label: 'Signing secret',
        hint: 'Under Basic Information of your Slack app.',
        secret: true,
      },
    ],
    showsVerifyToken: false,
    steps: [
      'Create an app at api.slack.com/apps, give its bot the scopes app_mentions:read, channels:history, chat:write, files:read, files:write, groups:history, im:history and users:read, and install it.',
      'Connect it here, then enter the address under Event Subscriptions, and subscribe the bot to app_mention, message.channels, message.groups and message.im.',
    ],
    connect: connectSlack,
    test: testSlack,
    webhook: {
      verify: verifySlack,
      updateId: (body) => slackEventId(body) ?? digestOfBody(body),
      keptHeaders: ['x-slack-retry-num', 'x-slack-retry-reason'],
      receive: receiveSlack,
    },
  },
};
