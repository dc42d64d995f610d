import { ProviderFault } from '#server/core/provider-request.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { PartOutcome } from '#server/inbox/channels/sending/send-parts.ts';

/** Returns the reason why an account needs to be connected again, without that instruction. */
export function tokenRefusedSentence(channel: Channel): string {
  return `${CHANNEL_NAMES[channel].name} no longer accepts its token.`;
}

/** Returns the delivery error until an account is connected again. */
export function reconnectSentence(channel: Channel): string {
  const { name } = CHANNEL_NAMES[channel];
  return `${name} needs to be connected again in Settings > Channels. It no longer accepts the token.`;
}

/** Converts a fault of the provider to an outcome. Rethrows other errors. */
export function faultOutcome(channel: Channel, error: unknown): PartOutcome {
  if (!(error instanceof ProviderFault)) throw error;
  const { name } = CHANNEL_NAMES[channel];
  switch (error.providerFault) {
    case 'timed_out':
      return { reason: `${name} did not answer in time, so the contact may not have received the message.` };
    case 'unclear':
    case 'too_large':
      return { reason: `${name} did not confirm the message, so the contact may not have received it.` };
    default:
      return { reason: `${name} could not be reached. Send the message again later.` };
  }
}

/** Returns the delivery error when a provider throttles us. */
export function throttledSentence(channel: Channel): string {
  return `${CHANNEL_NAMES[channel].name} accepts no more messages right now. Send the message again in a minute.`;
}
