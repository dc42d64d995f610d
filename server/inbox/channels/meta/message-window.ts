import type { Db } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { warnOfAccount } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { SendWarning, WarningContext } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';

const HOUR_MS = 3_600_000;
/** Time after a contact's last message in which any message may be sent. */
const WINDOW_MS = 24 * HOUR_MS;
/** Time after a contact's last message in which a person may still reply on Messenger and Instagram. */
const PERSON_WINDOW_MS = 7 * 24 * HOUR_MS;

/** `open`: any message. `person`: only a person's message, with the human agent tag. `closed`: no message. */
type MessageWindow = 'open' | 'person' | 'closed';

/**
 * Returns the messaging window of a contact. Without a known last message the window counts as open, and Meta decides
 * when the message is sent.
 * @param lastReceivedAt time of the contact's last message
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

/** Channels whose providers have a messaging window. */
const WITH_WINDOW: Channel[] = ['whatsapp', 'messenger', 'instagram'];

/**
 * Refuses a teammate's reply that would be sent after the messaging window has closed.
 * @throws Refusal under `sendAt`
 */
export async function refuseAfterWindow(
  db: Db,
  { channel, conversationId, sendAt }: { channel: Channel; conversationId: string; sendAt: Date },
): Promise<void> {
  if (!WITH_WINDOW.includes(channel)) return;
  const lastReceivedAt = await findLastReceived(db, conversationId);
  if (messageWindow(channel, lastReceivedAt, sendAt) !== 'closed') return;
  const time = channel === 'whatsapp' ? '24 hours' : '7 days';
  const { name } = CHANNEL_NAMES[channel];
  throw invalid({
    sendAt: [
      `${name} accepts replies only within ${time} of the contact’s last message. Choose an earlier time.`,
    ],
  });
}

/** Returns the delivery error for a closed messaging window. */
export function windowSentence(channel: Channel, byPerson: boolean): string {
  const { name } = CHANNEL_NAMES[channel];
  if (channel === 'whatsapp') {
    return 'The contact last wrote more than 24 hours ago. Until they write again, WhatsApp accepts only approved templates.';
  }
  return byPerson
    ? `The contact last wrote more than 7 days ago. Until they write again, ${name} accepts no messages to them.`
    : `The contact last wrote more than 24 hours ago. Until they write again, ${name} accepts no automatic messages to them.`;
}

/** Returns the delivery error of a teammate's reply after 24 hours, which the app may not send with the tag of human agents. */
export function noHumanAgentSentence(channel: Channel): string {
  const { name } = CHANNEL_NAMES[channel];
  return `The contact last wrote more than 24 hours ago. Until they write again, ${name} accepts replies to them only from an app with the Human Agent permission.`;
}

/** Returns a warning when the account is not connected, or the messaging window for a teammate's reply is closed. */
export async function warnOfWindow(
  db: Db,
  channel: Channel,
  conversation: WarningContext,
): Promise<SendWarning | null> {
  const ofAccount = await warnOfAccount(db, channel, conversation);
  if (ofAccount) return ofAccount;
  const lastReceivedAt = await findLastReceived(db, conversation.conversationId);
  return messageWindow(channel, lastReceivedAt) === 'closed'
    ? { sentence: windowSentence(channel, true), fix: null }
    : null;
}

/** Returns whether the provider accepts an automatic message, which no person wrote, in a conversation now. */
export async function acceptsAutomatic(
  db: Db,
  { channel, conversationId }: { channel: Channel; conversationId: string },
): Promise<boolean> {
  if (!WITH_WINDOW.includes(channel)) return true;
  return messageWindow(channel, await findLastReceived(db, conversationId)) === 'open';
}

/**
 * Returns when the contact last wrote in the thread of a conversation, including earlier conversations of the thread.
 * Providers' messaging windows start at this time, so on their channels messages from merged conversations do not count: those of
 * others, and those of the contact on another channel.
 * @returns null when the contact never wrote
 */
export async function findLastReceived(db: Db, conversationId: string): Promise<Date | null> {
  const [found] = await db.$queryRaw<{ at: Date | null }[]>`
    select max(m.created_at) as at
    from conversations c
    join conversations t on t.id = c.id or (
      t.channel_account_id = c.channel_account_id and t.external_thread_id = c.external_thread_id)
    join messages m on m.conversation_id = t.id and m.direction = 'inbound' and not m.automatic
      and (c.channel <> all (${WITH_WINDOW}::channel[])
        or m.author_name is null and coalesce(starts_with(m.external_id, c.channel || ':'), true))
    where c.id = ${conversationId}::uuid`;
  return found?.at ?? null;
}
