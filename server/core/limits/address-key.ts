import { isIP, isIPv4 } from 'node:net';

/** An address with a port, or in brackets (RFC 3986 §3.2.2), as some proxies forward it. */
const WITH_PORT = /^(?:\[([\da-f:.%]+)\]|(\d[\d.]*))(?::\d{1,5})?$/i;
/** Longer than any address. Anything longer counts by its prefix. */
const MAX_LENGTH = 100;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Returns an address without the port and the brackets with which some proxies forward it. */
export function bareAddress(address: string): string {
  const [, inBrackets, withPort] = WITH_PORT.exec(address.slice(0, MAX_LENGTH)) ?? [];
  return inBrackets ?? withPort ?? address;
}

/**
 * Returns the key of an address for limits: an IPv4 address, even when it is mapped to IPv6, or the /64 of an IPv6 address, because
 * a client has the whole /64 (docs/rulings.md 2.7).
 */
export function addressKey(address: string): string {
  const start = address.slice(0, MAX_LENGTH);
  const bare = bareAddress(start).split('%', 1)[0] ?? '';
  if (isIPv4(bare) || isIP(bare) === 0) return bare || start;
  const groups = groupsOf(bare);
  return mappedIPv4(groups) ?? `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Returns the eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(address: string): string[] {
  // The URL parser normalizes it, and converts an IPv4 part to groups.
  const { hostname } = new URL(`http://[${address}]`);
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after ? after.split(':') : [];
  return [...first, ...Array<string>(GROUPS - first.length - last.length).fill('0'), ...last];
}

/** Returns the IPv4 address of `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2), which a dual-stack socket reports for IPv4 clients. */
function mappedIPv4(groups: string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const octets = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return octets.join('.');
}

/** Header in which our HTTP server forwards the client's address, determined by `TRUST_PROXY`. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** Returns the client's address of a request, for limits. */
export function requestAddress(headers: Headers | undefined): string {
  return headers?.get(CLIENT_ADDRESS_HEADER) ?? 'unknown';
}
