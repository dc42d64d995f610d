import { createHmac } from 'node:crypto';
import type { DueDelivery, DueHook } from '#server/automation/deliveries/hook-queue.ts';
import { loggedEventRecord } from '#server/contract/logged-event.ts';
import { unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';

/** A request to a webhook endpoint (https://www.standardwebhooks.com). */
type SignedRequest = { type: string; headers: Record<string, string>; body: string };

/** Returns the request of an attempt. During a rotation it has a signature for each secret. */
export function signedRequest(
  { hookId, endpoint }: { hookId: string; endpoint: NonNullable<DueHook['endpoint']> },
  { eventId, body: recorded, cause }: Pick<DueDelivery, 'eventId' | 'body' | 'cause'>,
  at: Date,
): SignedRequest {
  if (cause === null) throw new Error('The event of an endpoint names no cause.');
  const event = loggedEventRecord({ body: recorded, ...cause });
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const { secret, earlierSecret } = endpoint;
  const signatures = [secret, earlierSecret].flatMap((sealed) =>
    sealed === null ? [] : sign(openSecret(sealed, hookId), [eventId, timestamp, body]),
  );
  return {
    type: event.type,
    headers: {
      'User-Agent': 'Service-Webhooks/1',
      'webhook-id': eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

function openSecret(sealed: string, endpointId: string): Buffer {
  return Buffer.from(unseal(Buffer.from(sealed, 'base64'), endpointId, secretKeys()), 'base64');
}

function sign(secret: Buffer, parts: string[]): string {
  return `v1,${createHmac('sha256', secret).update(parts.join('.')).digest('base64')}`;
}
