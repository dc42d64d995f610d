import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';

const HOUR_MS = 3_600_000;
/** How long after a contact's last message they may be written to freely. */
const WINDOW_MS = 24 * HOUR_MS;
/** How long a person, not a machine, may still answer on Messenger and Instagram. */
const PERSON_WINDOW_MS = 7 * 24 * HOUR_MS;

/** `open`: anything may be sent. `person`: only what a person writes, under the tag for them. `closed`: nothing. */
export type MessageWindow = 'open' | 'person' | 'closed';

/**
 * How a contact may be written to now. Where it is not known that they ever wrote, Meta is asked by sending.
 * @param lastReceivedAt when the contact last wrote there
 */
export function messageWindow(
  channel: Channel,
  lastReceivedAt: Date | null,
  now: Date = new Date(),
): MessageWindow {
  if (lastReceivedAt === null) return 'open';
  const ageMs = now.getTime() - lastReceivedAt.getTime();
  if (ageMs <= WINDOW_MS) return 'open';
  return channel !== 'whatsapp' && ageMs <= PERSON_WINDOW_MS ? 'person' : 'closed';
}

/** Why a message does not reach the contact once their window is closed. */
export function windowSentence(channel: Channel, byPerson: boolean): string {
  const { name } = CHANNEL_NAMES[channel];
  if (channel === 'whatsapp') {
    return 'The contact last wrote more than 24 hours ago: until they write again, WhatsApp accepts only approved templates.';
  }
  return byPerson
    ? `The contact last wrote more than 7 days ago: until they write again, ${name} accepts no messages to them.`
    : `The contact last wrote more than 24 hours ago: until they write again, ${name} accepts no automatic messages to them.`;
}
