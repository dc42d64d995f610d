import { isIP, isIPv4 } from 'node:net';

/** An address that a proxy passed on with its port, or in brackets (RFC 3986 §3.2.2). */
const WITH_PORT = /^(?:\[([\da-f:.%]+)\]|(\d[\d.]*))(?::\d{1,5})?$/i;
/** Longer than any address; a proxy that passes on something else is counted by its beginning. */
const MAX_LENGTH = 100;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * What limits per address count by: an IPv4 address, also one that came as IPv6; of an IPv6 address its /64, as a
 * client that has one address of it has them all (docs/rulings.md: requests and errors, 7).
 */
export function addressKey(address: string): string {
  const given = address.slice(0, MAX_LENGTH);
  const [, inBrackets, withPort] = WITH_PORT.exec(given) ?? [];
  const bare = (inBrackets ?? withPort ?? given).split('%', 1)[0] ?? '';
  if (isIPv4(bare) || isIP(bare) === 0) return bare || given;
  const groups = groupsOf(bare);
  return mappedIPv4(groups) ?? `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(address: string): string[] {
  // Written in one way by the parser of addresses, with IPv4 as groups too.
  const { hostname } = new URL(`http://[${address}]`);
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after ? after.split(':') : [];
  return [...first, ...Array<string>(GROUPS - first.length - last.length).fill('0'), ...last];
}

/** `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2), as a socket of both families names clients by IPv4. */
function mappedIPv4(groups: string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const octets = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return octets.join('.');
}

/** The header in which our HTTP server passes on the client's address, as `TRUST_PROXY` has it. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** The address a request came from, as limits count it. */
export function requestAddress(headers: Headers | undefined): string {
  return headers?.get(CLIENT_ADDRESS_HEADER) ?? 'unknown';
}
