import type { Db } from '#server/core/database/prisma.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { warnOfAccount } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { SendWarning, WarningContext } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';

const HOUR_MS = 3_600_000;
/** How long after a contact's last message they may be written to freely. */
const WINDOW_MS = 24 * HOUR_MS;
/** How long a person, not a machine, may still answer on Messenger and Instagram. */
const PERSON_WINDOW_MS = 7 * 24 * HOUR_MS;

/** `open`: anything may be sent. `person`: only what a person writes, under the tag for them. `closed`: nothing. */
type MessageWindow = 'open' | 'person' | 'closed';

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

/** What keeps a teammate's reply from the contact: their account is not connected, or their window is closed. */
export async function warnOfWindow(
  db: Db,
  channel: Channel,
  conversation: WarningContext,
): Promise<SendWarning | null> {
  const ofAccount = await warnOfAccount(db, channel, conversation);
  if (ofAccount) return ofAccount;
  const lastReceivedAt = await findLastReceived(db, conversation.conversationId);
  return messageWindow(channel, lastReceivedAt) === 'closed'
    ? { sentence: windowSentence(channel, true), mend: null }
    : null;
}

/**
 * When the contact of a conversation last wrote in its thread, also in an earlier conversation of it: from then on the
 * windows of providers count.
 * @returns null when they never did
 */
export async function findLastReceived(db: Db, conversationId: string): Promise<Date | null> {
  const [found] = await db.$queryRaw<{ at: Date | null }[]>`
    select max(m.created_at) as at
    from conversations c
    join conversations t on t.id = c.id or (
      t.channel_account_id = c.channel_account_id and t.external_thread_id = c.external_thread_id)
    join messages m on m.conversation_id = t.id and m.direction = 'inbound' and not m.automatic
    where c.id = ${conversationId}::uuid`;
  return found?.at ?? null;
}
