import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { z } from 'zod';
import type { MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';
import { parseMailHeaders } from '#server/inbox/mail-parser/mail-headers.ts';
import { originalDomain } from '#server/inbox/mail-parser/parse-rewritten.ts';
import { isForwarder, senderDomain } from '#server/inbox/mail-parser/sender-domain.ts';

/** A DNS answer. `records` is null when there are none; `code` is then the error code. */
const dnsAnswer = z.object({
  kind: z.string(),
  name: z.string(),
  records: z.array(z.unknown()).nullable(),
  code: z.string().nullable(),
});

/** The DNS answers that SPF, DKIM, DMARC and ARC need for one mail. */
export const senderLookups = z.object({
  answers: z.array(dnsAnswer),
  /** True when SPF passes for the domain of the envelope sender. */
  spfPassed: z.boolean(),
});

export type SenderLookups = z.infer<typeof senderLookups>;
type DnsAnswer = z.infer<typeof dnsAnswer>;

/** Deadline for all lookups of a mail, in ms. */
const LOOKUPS_MS = 10_000;
/** Timeout of a query in ms, number of tries, and pause in ms before an unanswered query is repeated. */
const QUERY_MS = 1_500;
const QUERY_TRIES = 2;
const PAUSE_MS = 500;
/** Maximum number of queries. An honest mail needs fewer: SPF is limited to ten (RFC 7208 §4.6.4). */
const QUERIES_MAX = 60;
/** Maximum size of all answers as JSON, in UTF-16 units. A DKIM key has about 400. */
const ANSWERS_MAX_LENGTH = 200_000;
const SIGNATURES_MAX = 10;
/** Maximum number of seals, and of signatures by those who sealed, of a mail that was forwarded so often. */
const SEALS_MAX = 5;
const AUTHORS_MAX = 5;
const HEADER_MAX_LENGTH = 4_000;

/**
 * Performs all DNS queries that `authenticateMail` needs, using only the headers and the envelope. The caller does not
 * need the complete mail in memory. Never rejects.
 * @param head the first bytes of the mail, with its headers
 * @param dnsServers `address:port`; undefined uses the system's servers
 */
export async function lookUpSender(
  head: Uint8Array,
  envelope: MailEnvelope,
  dnsServers: readonly string[] | undefined,
): Promise<SenderLookups> {
  const { resolver, answers, stop } = startLookups(dnsServers);
  const headers = parseMailHeaders(head);
  const valuesOf = (key: string) =>
    headers.filter((header) => header.key === key).map(({ value }) => value.slice(0, HEADER_MAX_LENGTH));
  const authors = valuesOf('from').flatMap(domainsIn).slice(0, AUTHORS_MAX);
  const keysOf = (key: string, max: number) => valuesOf(key).slice(0, max).flatMap(parseSignature);
  const keys = keysOf('dkim-signature', SIGNATURES_MAX);
  const dkimDomains = keys.map(({ domain }) => ({ id: domain, domain }));
  const seals = keysOf('arc-seal', SEALS_MAX);
  const isForwarded = seals.some(({ domain }) => isForwarder(domain));
  const sealKeys = isForwarded ? [...seals, ...keysOf('arc-message-signature', SEALS_MAX)] : [];
  const spfDomain = senderDomain(envelope);
  const dmarc = (domain: string) =>
    evaluateDmarc({
      headerFrom: [`author@${domain}`],
      // Alignment checks query DNS too, so each domain is treated as if it had passed.
      spfDomains: spfDomain ? [spfDomain] : [],
      dkimDomains,
      resolver,
    });
  const { ip, from } = envelope;
  const original = originalDomain(headers);
  const name = envelope.helo ?? ip ?? '';
  const helo = isIP(name) === 0 ? name : `[${name}]`;
  const [checked] = await Promise.allSettled([
    ip === null ? undefined : spf({ ip, helo, sender: from, mta: 'inbox.invalid', resolver }),
    ...authors.flatMap((domain) => [dmarc(domain), resolver(domainToASCII(domain), 'TXT')]),
    ...(original === undefined ? [] : [dmarc(original), resolver(original, 'TXT')]),
    ...[...keys, ...sealKeys].map(({ domain, selector }) =>
      resolver(`${selector}._domainkey.${domain}`, 'TXT'),
    ),
  ]);
  stop();
  const spfPassed = checked?.status === 'fulfilled' && checked.value?.status.result === 'pass';
  return { answers, spfPassed };
}

/** Starts the deadline. After the deadline, running and new queries end without an answer. */
function startLookups(dnsServers: readonly string[] | undefined) {
  const dns = new Resolver({ timeout: QUERY_MS, tries: QUERY_TRIES });
  if (dnsServers) dns.setServers(dnsServers);
  const answers: DnsAnswer[] = [];
  const queries = new Map<string, Promise<string[]>>();
  const deadline = Promise.withResolvers<void>();
  let isExpired = false;
  const timer = setTimeout(() => {
    isExpired = true;
    dns.cancel();
    deadline.resolve();
  }, LOOKUPS_MS);
  let length = 0;
  const pause = () =>
    Promise.race([deadline.promise, new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref())]);

  async function query(kind: string, name: string): Promise<DnsAnswer> {
    while (!isExpired) {
      try {
        const records = (await dns.resolve(name, kind)) as unknown[];
        length += JSON.stringify(records).length;
        return length > ANSWERS_MAX_LENGTH
          ? none(kind, name, 'ENODATA')
          : { kind, name, records, code: null };
      } catch (error) {
        const code = codeOf(error);
        if (!isNoResponse(code)) return none(kind, name, code);
        await pause();
      }
    }
    return none(kind, name, 'ETIMEOUT');
  }

  async function lookUp(kind: string, name: string): Promise<string[]> {
    const answer = await query(kind, name);
    answers.push(answer);
    return recordsOf(answer);
  }

  return {
    answers,
    resolver: (name: string, kind: string): Promise<string[]> => {
      const key = keyOf(kind, name);
      const known = queries.get(key);
      if (known) return known;
      if (queries.size >= QUERIES_MAX) return Promise.reject(noRecords(name, 'ENOTFOUND'));
      const pending = lookUp(kind, name);
      queries.set(key, pending);
      return pending;
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Returns a resolver that answers from earlier lookups. `unanswered` contains the names without an answer from a name
 * server. `isComplete` becomes false when a name is requested that was not looked up.
 */
export function replayLookups(answers: readonly DnsAnswer[]) {
  const known = new Map(answers.map((answer) => [keyOf(answer.kind, answer.name), answer]));
  const replay = {
    unanswered: new Set<string>(),
    isComplete: true,
    resolver: async (name: string, kind: string): Promise<string[]> => {
      const answer = known.get(keyOf(kind, name));
      if (!answer) {
        replay.isComplete = false;
        throw noRecords(name, 'ENOTFOUND');
      }
      if (!answer.records && !isAbsence(answer.code)) replay.unanswered.add(withoutRoot(name));
      return recordsOf(answer);
    },
  };
  return replay;
}

function recordsOf({ name, records, code }: DnsAnswer): string[] {
  if (records) return records as string[];
  throw noRecords(name, code);
}

function noRecords(name: string, code: string | null): Error {
  return Object.assign(new Error(`There are no records of ${name}.`), { code });
}

function none(kind: string, name: string, code: string): DnsAnswer {
  return { kind, name, records: null, code };
}

function keyOf(kind: string, name: string): string {
  return `${kind.toUpperCase()} ${withoutRoot(name)}`;
}

function withoutRoot(name: string): string {
  const text = name.toLowerCase();
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** Returns the domain of everything that resembles an address. */
function domainsIn(value: string): string[] {
  return [...value.matchAll(/@([^\s<>()[\]",;:@]{1,255})/g)].map(([, domain = '']) => domain);
}

/** Returns the domain and selector of a DKIM signature (RFC 6376 §3.5). */
function parseSignature(value: string): { domain: string; selector: string }[] {
  const tags = new Map(
    value.split(';').map((tag) => {
      const equals = tag.indexOf('=');
      return [tag.slice(0, equals).trim().toLowerCase(), tag.slice(equals + 1).replaceAll(/\s+/g, '')];
    }),
  );
  const domain = domainToASCII(tags.get('d') ?? '');
  const selector = domainToASCII(tags.get('s') ?? '');
  return domain === '' || selector === '' ? [] : [{ domain, selector }];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EBADRESP';
}

/** Returns true when no name server responded; the query is then repeated until the deadline. */
function isNoResponse(code: string): boolean {
  return code === 'ETIMEOUT' || code === 'ECONNREFUSED' || code === 'ECANCELLED';
}

/** Returns true when the answer is that the name or record does not exist. */
function isAbsence(code: string | null): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
