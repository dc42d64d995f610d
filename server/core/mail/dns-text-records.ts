import { Resolver } from 'node:dns/promises';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';

/** How long a name server may take for a response, in milliseconds, and how often one is asked. */
const LOOK_UP_MS = 2_000;
const TRIES = 2;

/** What looks records up: Node's own resolver, or what replaces it in tests. */
export type TextResolver = { resolveTxt: (name: string) => Promise<string[][]> };

/** The name servers of `DNS_SERVERS`, or the machine's, which answer within seconds or not at all. */
export function systemResolver(): TextResolver {
  const resolver = new Resolver({ timeout: LOOK_UP_MS, tries: TRIES });
  const { DNS_SERVERS } = settings();
  if (DNS_SERVERS) resolver.setServers(DNS_SERVERS);
  return resolver;
}

/** The name server says that there is no such name, or no such record at it. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Looks for a TXT record that is as it should be.
 * @returns undefined when there is one, else why not, as a sentence
 */
export async function textRecordProblem(
  resolver: TextResolver,
  record: { name: string; domain: string; isRight: (text: string) => boolean },
): Promise<string | undefined> {
  const { name, domain, isRight } = record;
  try {
    // A text longer than 255 bytes comes in parts (RFC 1035 §3.3.14).
    const texts = (await resolver.resolveTxt(name)).map((parts) => parts.join('').trim());
    if (texts.some(isRight)) return undefined;
    return `${name} has a TXT record, but not with this value. Copy the value again; changes may take a few hours to appear.`;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (ABSENT.has(code)) {
      return `There is no TXT record at ${name} yet. A new record may take a few hours to appear.`;
    }
    log().info({ err: error }, 'domain.not_looked_up');
    return `The name servers of ${domain} did not answer. Try again in a few minutes.`;
  }
}
