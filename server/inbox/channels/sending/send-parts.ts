import { log } from '#server/core/log.ts';
import type { OutgoingFile, OutgoingMessage, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';

/** Timeout for sending one message, in ms: below the ten seconds that a reply waits. */
const SEND_WITHIN_MS = 9_000;

/**
 * Outcome of one part: the provider's id, or a sentence with the reason of the rejection. `isOutsideWindow`: the messaging
 * window is closed, or with `false`, the provider rejected the message for a reason other than its window or token.
 */
export type PartOutcome =
  | { sent: string }
  | { reason: string; reconnect?: boolean; isOutsideWindow?: boolean };

/** Sends one part, and stops when the signal aborts. A fault of the provider is an outcome. */
export type SendPart = (signal: AbortSignal) => Promise<PartOutcome>;

/**
 * Sends the parts of a message in order, and stops at the first failure. The reply then fails and reports how many parts
 * arrived (`docs/rulings.md` 3.28). The id of the last part becomes the id of the message. Skips the parts that arrived when
 * the message was sent before, unless all did: then the provider accepted the message and did not deliver it.
 */
export async function sendParts(
  parts: SendPart[],
  { providerIds: earlier }: Pick<OutgoingMessage, 'providerIds'>,
): Promise<SendOutcome> {
  const signal = AbortSignal.timeout(SEND_WITHIN_MS);
  const providerIds = earlier.length < parts.length ? [...earlier] : [];
  for (const send of parts.slice(providerIds.length)) {
    const outcome = await send(signal).catch(failedPart);
    if ('sent' in outcome) {
      providerIds.push(outcome.sent);
      continue;
    }
    const { reason, reconnect = false } = outcome;
    return {
      status: 'failed',
      reason: providerIds.length === 0 ? reason : `${reason} ${arrived(providerIds.length, parts.length)}`,
      reconnect,
      ...(providerIds.length === 0 ? {} : { providerIds }),
    };
  }
  return { status: 'sent', externalId: providerIds.at(-1) ?? null, providerIds };
}

/** Fails a part for a reason that is not the provider's, such as a file that cannot be read. The parts before it arrived. */
function failedPart(error: unknown): PartOutcome {
  log().error({ err: error }, 'message.part_not_sent');
  return { reason: 'The message could not be sent.' };
}

function arrived(count: number, all: number): string {
  return `${count} of its ${all} parts arrived.`;
}

/** Reads a complete file, for providers that need its length first. The caller has checked its size. */
export async function readFully(file: OutgoingFile): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await file.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}
