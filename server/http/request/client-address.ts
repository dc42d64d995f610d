import type { IncomingMessage } from 'node:http';
import { settings } from '#server/core/env.ts';
import { bareAddress } from '#server/core/limits/address-key.ts';

/**
 * As long as the headers of a request can be. Addresses farther from the end of the header are never from a
 * trusted proxy.
 */
const HEADER_MAX_LENGTH = 16_384;

/**
 * Returns the IP address of a request. Each trusted proxy appends the address of its client to
 * `X-Forwarded-For`, so the client is `trustedProxies` entries from the end. With fewer entries the request
 * bypassed a proxy and its header is forged, so the socket's address counts (docs/rulings.md 2.8).
 * @param trustedProxies 0: the socket's address
 */
export function clientAddress(req: IncomingMessage, trustedProxies = settings().TRUST_PROXY): string {
  const socketAddress = req.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return socketAddress;
  const header = req.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .slice(-HEADER_MAX_LENGTH)
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return bareAddress(forwarded.at(-trustedProxies) ?? socketAddress);
}
