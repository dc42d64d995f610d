import type { IncomingMessage } from 'node:http';
import { settings } from '#server/core/env.ts';
import { waitForBodyRate } from '#server/http/request/body-rate.ts';
import { clientAddress } from '#server/http/request/client-address.ts';

/**
 * Takes in what is left of a body that is not needed, at the rate of its address: a connection closed while a client still
 * writes would often cost it the response, and taken in as fast as it comes, a refused body costs more than one that is kept.
 */
export async function throwAway(req: IncomingMessage): Promise<void> {
  const address = clientAddress(req, settings().TRUST_PROXY);
  try {
    for await (const piece of req) await waitForBodyRate(address, piece.length);
  } catch {
    // Broken off by the client, or given up by the server: it is no body that anybody waits for.
  }
}
