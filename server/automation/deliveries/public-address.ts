import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Thrown when an endpoint's host is not in the public internet. Nothing was sent. */
export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`The host ${host} has no public address, so it was not contacted.`);
  }
}

/** Global unicast addresses (RFC 4291 §2.4). The rest contains, among others, IPv4 addresses in old forms. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an IP address is in the public internet: not of this machine, a private network, a link, a cloud's metadata
 * service or a group, and not an IPv4 address inside an IPv6 one.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Bounds on a question to the name servers. The system's own lookup has few threads, which the whole process shares, and cannot be
 * cancelled: names whose server never answers would delay the lookups of all others.
 */
const resolver = new Resolver({ timeout: 1_000, tries: 2 });

const askNameServers: Resolve = (host, _options, callback) => {
  const questions = [resolver.resolve4(host), resolver.resolve6(host)];
  void Promise.allSettled(questions).then((answers) => {
    const addresses = answers.flatMap((answer, n) =>
      answer.status === 'fulfilled'
        ? answer.value.map((address) => ({ address, family: n === 0 ? 4 : 6 }))
        : [],
    );
    const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    callback(addresses.length === 0 ? failed : null, addresses);
  });
};

/**
 * Returns a lookup for connecting to an endpoint. Every address of the name must be public, as the connection may go to any of
 * them. The connection goes to the addresses that were checked: nothing resolves the name again.
 * @param privateHosts names that may have any address
 */
export function publicLookup(
  privateHosts: readonly string[],
  { resolve = askNameServers, resolvePrivate = lookup }: { resolve?: Resolve; resolvePrivate?: Resolve } = {},
): LookupFunction {
  return (host, options, callback) => {
    // A private name may be known to this machine only.
    const find = privateHosts.includes(host) ? resolvePrivate : resolve;
    find(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const isAllowed =
        addresses.length > 0 &&
        (privateHosts.includes(host) || addresses.every(({ address }) => isPublicAddress(address)));
      if (!isAllowed) return callback(new PrivateAddressError(host), []);
      if (options.all) return callback(null, addresses);
      return callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
}

/** Returns the problem of a host that is an address and needs no lookup; undefined for names. */
export function addressProblem(
  host: string,
  privateHosts: readonly string[],
): PrivateAddressError | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0 || privateHosts.includes(address) || isPublicAddress(address)) return undefined;
  return new PrivateAddressError(address);
}
