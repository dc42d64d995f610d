import type { Resolver } from 'node:dns/promises';
import { log } from '#server/core/log.ts';
import { ABSENT, dnsErrorCode } from '#server/core/mail/dns-text-records.ts';

/** Server that receives the email of a domain, by its MX records. `unknown`: the name servers did not answer. */
export type MailRoute = {
  state: 'here' | 'elsewhere' | 'none' | 'unknown';
  /** Mail servers by preference, at most `SERVERS_MAX`. */
  servers: string[];
};

/** The parts of Node's resolver that are used. */
export type MailResolver = Pick<Resolver, 'resolveMx' | 'resolve4' | 'resolve6' | 'cancel'>;

const SERVERS_MAX = 5;
/** Timeout of all lookups together, in ms. */
const TIMEOUT_MS = 5_000;

/**
 * Looks up the MX records of domains (RFC 5321 §5.1), in parallel and for at most `TIMEOUT_MS`. `here`: the preferred mail
 * server is `host`, or has an IP address of `host`.
 */
export async function lookUpMailRoutes(
  resolver: MailResolver,
  { domains, host }: { domains: string[]; host: string },
): Promise<Map<string, MailRoute>> {
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    const own = addressesOf(resolver, host);
    const routes = await Promise.all(
      domains.map(async (domain) => [domain, await lookUpRoute(resolver, domain, { host, own })] as const),
    );
    return new Map(routes);
  } finally {
    clearTimeout(timer);
  }
}

async function lookUpRoute(
  resolver: MailResolver,
  domain: string,
  { host, own }: { host: string; own: Promise<string[]> },
): Promise<MailRoute> {
  try {
    const records = (await resolver.resolveMx(domain)).toSorted((a, b) => a.priority - b.priority);
    // An empty name says that the domain receives no email (RFC 7505).
    const servers = records
      .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
      .filter((name) => name !== '')
      .slice(0, SERVERS_MAX);
    const [preferred] = servers;
    if (preferred === undefined) return { state: 'none', servers };
    const isHere = preferred === host || overlap(await addressesOf(resolver, preferred), await own);
    return { state: isHere ? 'here' : 'elsewhere', servers };
  } catch (error) {
    if (ABSENT.has(dnsErrorCode(error))) return { state: 'none', servers: [] };
    log().info({ err: error }, 'domain.not_looked_up');
    return { state: 'unknown', servers: [] };
  }
}

/** Returns the IP addresses of a host; none when they cannot be looked up. */
async function addressesOf(resolver: MailResolver, host: string): Promise<string[]> {
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

function overlap(some: string[], others: string[]): boolean {
  return some.some((address) => others.includes(address));
}
