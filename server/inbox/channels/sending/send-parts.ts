import type { OutgoingFile, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';

/** How long sending one message may take in all, in milliseconds: under the ten seconds that a reply waits. */
const SEND_WITHIN_MS = 9_000;

/** What came of one part: the provider's id of it, or a sentence that says why it was refused. */
export type PartOutcome = { sent: string } | { reason: string; reconnect?: boolean };

/** Sends one part; ends with the signal. A fault of the provider is an outcome. */
export type SendPart = (signal: AbortSignal) => Promise<PartOutcome>;

/**
 * Sends the parts of a message in order, and stops at the first that fails: the reply is then failed, and says how much
 * arrived (decisions: conversations and contacts, 28). The last part's id is the message's.
 */
export async function sendParts(parts: SendPart[]): Promise<SendOutcome> {
  const signal = AbortSignal.timeout(SEND_WITHIN_MS);
  const providerIds: string[] = [];
  for (const send of parts) {
    const outcome = await send(signal);
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

function arrived(count: number, all: number): string {
  return `${count} of its ${all} parts arrived before.`;
}

/** All of a file that is to be sent, for providers that want its length before its bytes. The caller has judged its size. */
export async function readWhole(file: OutgoingFile): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await file.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}
