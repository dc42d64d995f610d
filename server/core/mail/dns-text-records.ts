import { Resolver } from 'node:dns/promises';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';

/** Timeout of a DNS query, in ms, and number of tries. */
const LOOK_UP_MS = 2_000;
const TRIES = 2;

/** Looks up TXT records: Node's resolver, or a stub in tests. */
export type TextResolver = { resolveTxt: (name: string) => Promise<string[][]> };

/** Returns a resolver with a short timeout, for the name servers of `DNS_SERVERS` or else of the machine. */
export function systemResolver(): Resolver {
  const resolver = new Resolver({ timeout: LOOK_UP_MS, tries: TRIES });
  const { DNS_SERVERS } = settings();
  if (DNS_SERVERS) resolver.setServers(DNS_SERVERS);
  return resolver;
}

/** Error codes for a missing name or record. */
export const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Looks for a TXT record for which `isRight` returns true.
 * @returns undefined when it exists, else a sentence for the teammate
 */
export async function textRecordProblem(
  resolver: TextResolver,
  record: { name: string; domain: string; isRight: (text: string) => boolean },
): Promise<string | undefined> {
  const { name, domain, isRight } = record;
  try {
    // A text of more than 255 bytes is split (RFC 1035 §3.3.14).
    const texts = (await resolver.resolveTxt(name)).map((parts) => parts.join('').trim());
    if (texts.some(isRight)) return undefined;
    return `${name} has a TXT record, but not with this value. Copy the value again; changes may take a few hours to appear.`;
  } catch (error) {
    if (ABSENT.has(dnsErrorCode(error))) {
      return `There is no TXT record at ${name} yet. A new record may take a few hours to appear.`;
    }
    log().info({ err: error }, 'domain.not_looked_up');
    return `The name servers of ${domain} did not answer. Try again in a few minutes.`;
  }
}

/** Returns the code of a failed lookup, or an empty text. */
export function dnsErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
