import type { ServerResponse } from 'node:http';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { sendJson } from '#server/http/response/send-json.ts';

/**
 * Refuses and counts the refusal, so that guessing accounts or signatures is slower than any provider's
 * calls.
 */
export async function refuseWebhook(
  res: ServerResponse,
  address: string,
  status: number,
  message: string,
): Promise<void> {
  if (await isWithin(res, 'webhook_refused', address)) sendJson(res, status, { message });
}

/** Consumes from a limit of an address. Sends a 429 and returns false when the limit is used up. */
export async function isWithin(
  res: ServerResponse,
  limit: 'webhook_address' | 'webhook_refused',
  address: string,
): Promise<boolean> {
  const { allowed, retryAfterSeconds } = await consumeLimit(limit, address);
  if (!allowed)
    sendJson(res, 429, { message: 'Too Many Attempts.' }, { 'Retry-After': String(retryAfterSeconds) });
  return allowed;
}
