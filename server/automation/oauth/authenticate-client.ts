import { err, ok, type Result } from '#server/automation/oauth/token-error.ts';
import { isToken68, parseAuthorization } from '#server/core/authorization-header.ts';
import { settings } from '#server/core/env.ts';
import { sameSecret } from '#server/core/secrets.ts';

type Credentials = { id: string; secret: string };

/**
 * Authenticates the platform by `client_id` and `client_secret` in the form, or by HTTP Basic, but never both
 * (RFC 6749 §2.3). Ignores a header of another scheme (docs/rulings.md 4.7).
 * @param authorization the request's `Authorization` header
 */
export function authenticateClient(
  values: Map<string, string>,
  authorization: string | undefined,
): Result<true> {
  if (basicOf(authorization) !== undefined && values.has('client_secret')) {
    return err(
      'invalid_request',
      'The client is authenticated twice: send its id and secret in the form or by HTTP Basic, not both.',
    );
  }
  if (!isFromPlatform(values, authorization)) {
    return err('invalid_client', 'The client_id or client_secret is missing or wrong.');
  }
  return ok(true);
}

/**
 * Returns whether a request has the platform's id and secret, in the form or as HTTP Basic, even if the
 * request is otherwise invalid. During a secret rotation two secrets are valid. Compares in constant time.
 * @param authorization the request's `Authorization` header
 */
export function isFromPlatform(values: Map<string, string>, authorization: string | undefined): boolean {
  const { PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET } = settings();
  const inForm = { id: values.get('client_id') ?? '', secret: values.get('client_secret') ?? '' };
  const candidates = [inForm, ...basicCredentials(authorization)];
  return candidates.some(({ id, secret }) => {
    const rightId = sameSecret(id, PLATFORM_CLIENT_ID);
    const rightSecret = PLATFORM_CLIENT_SECRET.map((known) => sameSecret(secret, known)).includes(true);
    return rightId && rightSecret;
  });
}

/** Returns the credentials after `Basic`; undefined for another scheme. */
function basicOf(authorization: string | undefined): string | undefined {
  const parsed = parseAuthorization(authorization);
  return parsed?.scheme === 'basic' ? parsed.credentials : undefined;
}

/**
 * Returns HTTP Basic's id and secret, both decoded as in RFC 6749 §2.3.1 and raw, as some clients do not
 * encode them.
 */
function basicCredentials(authorization: string | undefined): Credentials[] {
  const encoded = basicOf(authorization);
  if (encoded === undefined || !isToken68(encoded)) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return [];
  const raw = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  const decoded = { id: formDecode(raw.id), secret: formDecode(raw.secret) };
  return [raw, decoded];
}

function formDecode(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? '';
}
