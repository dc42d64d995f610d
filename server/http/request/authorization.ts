import type { IncomingMessage } from 'node:http';
import { isToken68, parseAuthorization } from '#server/core/authorization-header.ts';

/** Returns the token of `Authorization: Bearer` (RFC 6750 §2.1), never of a query string or body. */
export function parseBearerToken(req: IncomingMessage): string | undefined {
  const parsed = parseAuthorization(req.headers.authorization);
  return parsed?.scheme === 'bearer' && isToken68(parsed.credentials) ? parsed.credentials : undefined;
}
