import type { IncomingMessage } from 'node:http';

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** The token of `Authorization: Bearer` (RFC 6750 §2.1); never that of a query string or body. */
export function readBearerToken(req: IncomingMessage): string | undefined {
  return BEARER.exec(req.headers.authorization ?? '')?.[1];
}
