import type { IncomingMessage } from 'node:http';
import type { Settings } from '../platform/settings.ts';

/** True for the names under which this program answers: anything else is another name pointed at loopback. */
export function isOurHost(settings: Settings, host: string | undefined): boolean {
  const { port, returnUrl } = settings;
  const ours = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, returnUrl.host];
  return host !== undefined && ours.includes(host.toLowerCase());
}

/**
 * True when a request that changes something may pass. A browser always says where such a request comes from,
 * and it must be our own page; programs say nothing.
 */
export function isOurOrigin(req: IncomingMessage): boolean {
  const { origin, host } = req.headers;
  if (origin !== undefined) return URL.parse(origin)?.host === host;
  const site = req.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
