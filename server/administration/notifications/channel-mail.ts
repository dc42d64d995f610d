import { formatTimestamp } from '#server/core/mail/format-timestamp.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { ChannelNotification } from '#server/teammates/notification-content.ts';

/** What the mail about an account of a channel needs to know. */
export type ChannelMailFacts = {
  content: ChannelNotification;
  recipientName: string;
  workspaceName: string;
  serviceName: string;
  /** Where the workspace's channels are shown. */
  channelsUrl: string;
};

/** Writes the mail to an owner or admin saying that an account needs to be connected again, or soon will. */
export function channelMail(facts: ChannelMailFacts): { subject: string; text: string } {
  const { content, recipientName, workspaceName, serviceName, channelsUrl } = facts;
  const { channel, accountName } = content.data;
  const account = `${CHANNEL_NAMES[channel].name} account ${accountName}`;
  const { subject, happened, means } =
    content.kind === 'channel_reconnect'
      ? {
          subject: `${CHANNEL_NAMES[channel].name} of ${workspaceName} needs to be connected again`,
          happened: `The ${account} of ${workspaceName} needs to be connected again. ${content.data.why}`,
          means: 'Replies there fail, and messages of contacts may not arrive, until it is connected again.',
        }
      : {
          subject: `${CHANNEL_NAMES[channel].name} of ${workspaceName} needs to be connected again soon`,
          happened: `The access to the ${account} of ${workspaceName} ends on ${formatTimestamp(new Date(content.data.expiresAt))}.`,
          means: 'From then on replies there fail, and messages of contacts may not arrive.',
        };
  const paragraphs = [
    `Hello ${recipientName},`,
    happened,
    `What it means: ${means}`,
    `What to do: connect the account again with a new token:\n${channelsUrl}`,
    `You are receiving this because you are an owner or admin of ${workspaceName}.\n${serviceName}`,
  ];
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}
