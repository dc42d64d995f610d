import type { Channel } from '#server/generated/prisma/enums.ts';
import { callGraph, type GraphCall, type GraphResult } from '#server/inbox/channels/meta/graph-api.ts';
import { refusedOutcome } from '#server/inbox/channels/meta/graph-errors.ts';
import { faultOutcome } from '#server/inbox/channels/sending/provider-sentences.ts';
import type { PartOutcome, SendPart } from '#server/inbox/channels/sending/send-parts.ts';

/** Asks the Graph API for one thing while a part of a message is sent; what it refuses ends the part. */
export type AskGraph = (call: Omit<GraphCall, 'token' | 'signal'>) => Promise<unknown>;

class Refused extends Error {
  readonly outcome: PartOutcome;

  constructor(outcome: PartOutcome) {
    super('The Graph API refused.');
    this.outcome = outcome;
  }
}

/**
 * One part of a message that is sent over the Graph API in one call or more: refusals and faults are its outcome.
 * @param byPerson whether it goes under the tag for people
 */
export function graphPart(
  { channel, token, byPerson = false }: { channel: Channel; token: string; byPerson?: boolean },
  send: (ask: AskGraph) => Promise<PartOutcome>,
): SendPart {
  return async (signal) => {
    try {
      return await send(async (call) => {
        const response: GraphResult = await callGraph({ ...call, token, signal });
        if (response.ok) return response.body;
        throw new Refused(refusedOutcome(channel, response.refusal, byPerson));
      });
    } catch (error) {
      if (error instanceof Refused) return error.outcome;
      return faultOutcome(channel, error);
    }
  };
}
