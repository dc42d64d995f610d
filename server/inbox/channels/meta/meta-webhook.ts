import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { sameSecret } from '#server/core/secrets.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { WebhookRequest, WebhookVerdict } from '#server/inbox/channels/received-update.ts';

const SIGNATURE_HEADER = 'x-hub-signature-256';
const CHALLENGE_MAX_LENGTH = 200;

/**
 * Verifies a request from Meta. A `GET` that checks the address must carry the account's verify token, and gets its
 * challenge back. A `POST` must be signed with an HMAC-SHA256 of the raw body, keyed with the app's secret
 * (developers.facebook.com/docs/graph-api/webhooks/getting-started).
 */
export function verifyMeta(request: WebhookRequest, account: ConnectedAccount): WebhookVerdict {
  if (request.method === 'GET') return verifyAddress(request, account);
  const { appSecret = '' } = account.credentials;
  const hmac = createHmac('sha256', appSecret).update(request.rawBody).digest('hex');
  const signature = request.headers[SIGNATURE_HEADER] ?? '';
  return appSecret !== '' && sameSecret(signature, `sha256=${hmac}`)
    ? { kind: 'accepted' }
    : { kind: 'bad_signature' };
}

function verifyAddress({ query }: WebhookRequest, { credentials }: ConnectedAccount): WebhookVerdict {
  const { verifyToken = '' } = credentials;
  const isRight =
    verifyToken !== '' &&
    query.get('hub.mode') === 'subscribe' &&
    sameSecret(query.get('hub.verify_token') ?? '', verifyToken);
  const challenge = (query.get('hub.challenge') ?? '').slice(0, CHALLENGE_MAX_LENGTH);
  return isRight
    ? { kind: 'reply', status: 200, contentType: 'text/plain', body: challenge }
    : { kind: 'reply', status: 403, contentType: 'text/plain', body: 'The verify token is wrong.' };
}

/** An optional string; a value of another type counts as missing, so future changes by the provider do no harm. */
export const text = z.string().optional().catch(undefined);
/** An optional number; a value of another type counts as missing. */
export const number = z.number().optional().catch(undefined);

/** Returns a schema of an optional object; a value of another shape counts as missing. */
export function optional<Shape extends z.ZodType>(shape: Shape) {
  return shape.optional().catch(undefined);
}

/** Returns a schema of a list that drops items of another shape; empty when the value is not a list. */
export function listOf<Shape extends z.ZodType>(shape: Shape) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((parts) =>
      parts.flatMap((part) => {
        const parsed = shape.safeParse(part);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}
