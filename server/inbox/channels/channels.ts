import type { Db } from '#server/core/database/prisma.ts';
import { divertMessage } from '#server/core/divert-message.ts';
import { LIMITS } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type {
  ChannelAdapter,
  OutgoingMessage,
  SendOutcome,
  SendWarning,
  WarningContext,
} from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { countProgramMessage } from '#server/inbox/channels/count-program-message.ts';
import { emailChannel } from '#server/inbox/channels/email/email-channel.ts';
import { instagramChannel, messengerChannel } from '#server/inbox/channels/meta/page-channels.ts';
import { slackChannel } from '#server/inbox/channels/slack/slack-channel.ts';
import { telegramChannel } from '#server/inbox/channels/telegram/telegram-channel.ts';
import { whatsappChannel } from '#server/inbox/channels/whatsapp/whatsapp-channel.ts';

/** The web chat: visitors read the conversation directly, so a saved message is delivered. */
const webchatChannel: ChannelAdapter = {
  firstStatus: async () => null,
  warning: async () => null,
  send: async () => ({ status: 'unreported' }),
};

export const CHANNELS: Record<Channel, ChannelAdapter> = {
  email: emailChannel,
  webchat: webchatChannel,
  whatsapp: whatsappChannel,
  instagram: instagramChannel,
  messenger: messengerChannel,
  telegram: telegramChannel,
  slack: slackChannel,
};

/**
 * Sends a message on a channel. In a test workspace nothing leaves: the message is stored in its outbox and counts as sent. Sends nothing
 * and defers the message while the database does not tell which it is.
 */
export async function sendOnChannel(channel: Channel, message: OutgoingMessage): Promise<SendOutcome> {
  if (!DIVERTED_ELSEWHERE.has(channel)) {
    try {
      if (await divert(channel, message)) return { status: 'sent', externalId: null };
    } catch (error) {
      log().error({ err: error, messageId: message.id }, 'message.not_sent');
      return { status: 'deferred', reason: NOT_SENT };
    }
    const { workspaceId, conversation } = message;
    const chat = `${workspaceId} ${conversation.externalThreadId ?? conversation.id}`;
    if (!(await countProgramMessage(message, 'program_chat', chat)))
      return { status: 'failed', reason: TOO_MANY };
  }
  return CHANNELS[channel].send(message);
}

const NOT_SENT = 'The message could not be sent.';
const TOO_MANY = `More than ${LIMITS.program_chat.points} automatic messages were sent in this chat within an hour, so this one was not sent. Check whether two systems are replying to each other, and try again in an hour.`;

/** `sendMail` diverts an email once it is composed. The web chat sends nothing: visitors read the conversation itself. */
const DIVERTED_ELSEWHERE: ReadonlySet<Channel> = new Set(['email', 'webchat']);

function divert(channel: Channel, message: OutgoingMessage): Promise<boolean> {
  const { workspaceId, contact, identity, conversation, authorName, attachments, content } = message;
  const address = identity?.externalId ?? contact?.phone ?? conversation.externalThreadId ?? '';
  return divertMessage({
    workspaceId,
    channel,
    sender: authorName ?? CHANNEL_NAMES[channel].name,
    recipients: [[contact?.name, address].filter(Boolean).join(', ')],
    content,
    fileNames: attachments.map(({ name }) => name),
  });
}

/** Returns the known reason why a reply would not reach the contact, or null. A test workspace needs no accounts. */
export async function sendWarning(
  channel: Channel,
  db: Db,
  context: WarningContext & { isTest: boolean },
): Promise<SendWarning | null> {
  return context.isTest && CHANNELS[channel].accounts ? null : CHANNELS[channel].warning(db, context);
}
