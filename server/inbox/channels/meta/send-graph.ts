import type { Channel } from '#server/generated/prisma/enums.ts';
import { callGraph, type GraphCall, type GraphResult } from '#server/inbox/channels/meta/graph-api.ts';
import { refusedOutcome } from '#server/inbox/channels/meta/graph-errors.ts';
import { faultOutcome } from '#server/inbox/channels/sending/provider-sentences.ts';
import type { PartOutcome, SendPart } from '#server/inbox/channels/sending/send-parts.ts';

/** Calls the Graph API while a part of a message is sent. A rejection ends the part. */
export type GraphRequest = (call: Omit<GraphCall, 'token' | 'signal'>) => Promise<unknown>;

class Refused extends Error {
  readonly outcome: PartOutcome;

  constructor(outcome: PartOutcome) {
    super('The Graph API rejected the call.');
    this.outcome = outcome;
  }
}

/**
 * Returns a part of a message that is sent with one or more Graph API calls. Rejections and faults become its outcome.
 * @param byPerson whether the message carries the human agent tag
 */
export function graphPart(
  { channel, token, byPerson = false }: { channel: Channel; token: string; byPerson?: boolean },
  send: (request: GraphRequest) => Promise<PartOutcome>,
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
