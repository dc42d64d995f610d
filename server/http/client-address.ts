import type { IncomingMessage } from 'node:http';

/**
 * The address a request came from. `X-Forwarded-For` is believed only through as many proxies as are trusted:
 * each appends whom it heard from, so the client stands that many places from the end.
 * @param trustedProxies 0: the socket's own address
 */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const socketAddress = req.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return socketAddress;
  const header = req.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return [...forwarded, socketAddress].at(-1 - trustedProxies) ?? forwarded[0] ?? socketAddress;
}
