import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum difference between the clocks of the service and of n8n, in seconds, as Standard Webhooks recommends. */
const TOLERANCE_SECONDS = 5 * 60;

/** A request as it was received. Its body is unchanged. */
export type SignedRequest = { header: (name: string) => string | undefined; body: Buffer };

/**
 * Returns whether a request was signed with the secret of a webhook in the last five minutes (standardwebhooks.com). While a secret
 * is being rotated, a request has two signatures.
 * @param secret `whsec_` and the key in base64
 */
export function isSigned({ header, body }: SignedRequest, secret: string): boolean {
  const timestamp = header('webhook-timestamp') ?? '';
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1_000 - seconds) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${header('webhook-id')}.${timestamp}.`)
    .update(body)
    .digest();
  return (header('webhook-signature') ?? '')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .some((signature) => {
      const given = Buffer.from(signature.slice(3), 'base64');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}
