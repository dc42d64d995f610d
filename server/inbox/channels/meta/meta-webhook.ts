import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { sameSecret } from '#server/core/secrets.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { WebhookRequest, WebhookVerdict } from '#server/inbox/channels/received-update.ts';

const SIGNATURE_HEADER = 'x-hub-signature-256';
const CHALLENGE_MAX_LENGTH = 200;

/**
 * Judges a request of Meta: a `GET` that checks the address must carry the account's verify token, and is answered with its
 * challenge; a `POST` must be signed with an HMAC-SHA256 of the raw body under the app's secret
 * (developers.facebook.com/docs/graph-api/webhooks/getting-started).
 */
export function verifyMeta(request: WebhookRequest, account: ConnectedAccount): WebhookVerdict {
  if (request.method === 'GET') return verifyAddress(request, account);
  const { appSecret = '' } = account.credentials;
  const hmac = createHmac('sha256', appSecret).update(request.rawBody).digest('hex');
  const signature = request.headers[SIGNATURE_HEADER] ?? '';
  return appSecret !== '' && sameSecret(signature, `sha256=${hmac}`)
    ? { kind: 'take' }
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

/** A text that may be missing, or be something else: then it is missing. What providers add later harms nothing. */
export const text = z.string().optional().catch(undefined);
/** A number that may be missing. */
export const number = z.number().optional().catch(undefined);

/** An object that may be missing, or be something else. */
export function optional<Shape extends z.ZodType>(shape: Shape) {
  return shape.optional().catch(undefined);
}

/** A list of which those parts are read that have the shape; none where it is no list. */
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
