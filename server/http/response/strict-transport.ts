import type { ServerResponse } from 'node:http';

/** For how long browsers ask by https alone, in seconds: a year. */
const MAX_AGE_SECONDS = 31_536_000;

/**
 * Has browsers ask by https alone from now on, where people reach the service so (RFC 6797). Other hosts of the domain
 * are not ours to decide about.
 */
export function strictTransport(res: ServerResponse, baseUrl: string): void {
  if (!baseUrl.startsWith('https:')) return;
  res.setHeader('Strict-Transport-Security', `max-age=${MAX_AGE_SECONDS}`);
}
