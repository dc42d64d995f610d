import { Resolver } from 'node:dns/promises';
import { type AuthenticateResult, authenticate } from 'mailauth';
import { getDomain } from 'tldts';
import { parseAuthor } from '#server/inbox/mail-parser/mail-addresses.ts';

/** How the sending server gave a mail: what SPF judges. */
export type MailEnvelope = {
  /** The address of the connection; null when the mail came another way. */
  ip: string | null;
  helo: string | null;
  /** Empty for the empty return path. */
  from: string;
};

/**
 * Whether the address in From may be believed: `passed` when SPF or DKIM vouches for its domain (RFC 7489 §3.1); `failed`
 * when neither does though the domain publishes a policy; `unknown` when it says nothing; `unreachable` when the name
 * servers did not answer.
 */
export type MailAuthentication = 'passed' | 'failed' | 'unknown' | 'unreachable';

/** The result, and the address that it is about, in lowercase; null when the mail does not name exactly one author. */
export type AuthenticatedMail = { authentication: MailAuthentication; author: string | null };

/** How long one question to a name server may take, in milliseconds, and how often it is asked. */
const DNS_TIMEOUT_MS = 1_500;
const DNS_TRIES = 2;
/** More questions than an honest mail needs: SPF has ten of its own (RFC 7208 §4.6.4). */
const QUESTIONS_MAX = 60;

/**
 * Returns the author of a mail, when every parser finds the same one: the mail must be unambiguous, and mailauth must have
 * evaluated the address that is shown.
 * @param evaluated the addresses in From as mailauth parsed them
 */
export function findAgreedAuthor(raw: Uint8Array, evaluated: readonly string[]): string | null {
  const { author, isUnambiguous } = parseAuthor(raw);
  const [only, ...others] = evaluated.map((address) => address.trim().toLowerCase());
  return isUnambiguous && others.length === 0 && only === author?.address ? (only ?? null) : null;
}

/**
 * Evaluates SPF, DKIM and DMARC for the author of a mail. Runs in the mail's thread.
 * @param dnsServers name servers as `address:port`; undefined: those of the system
 */
export async function authenticateMail(
  raw: Uint8Array,
  envelope: MailEnvelope,
  dnsServers: readonly string[] | undefined,
): Promise<AuthenticatedMail> {
  const dns = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (dnsServers) dns.setServers(dnsServers);
  let isUnreachable = false;
  // Where no one answers one question, the others are not waited for.
  let isAway = false;
  let questions = 0;
  const resolver = async (name: string, kind: string) => {
    questions += 1;
    if (isAway) throw Object.assign(new Error('The name servers do not answer.'), { code: 'ETIMEOUT' });
    if (questions > QUESTIONS_MAX)
      throw Object.assign(new Error('Too many questions.'), { code: 'ENOTFOUND' });
    try {
      return (await dns.resolve(name, kind)) as string[];
    } catch (error) {
      if (!isNoRecord(error)) isUnreachable = true;
      isAway ||= isNoAnswer(error);
      throw error;
    }
  };
  const { spf, dkim, dmarc } = await authenticate(Buffer.from(raw), {
    ...(envelope.ip === null
      ? {}
      : { ip: envelope.ip, helo: envelope.helo ?? envelope.ip, sender: envelope.from }),
    resolver,
    rejectRsaSha1: true,
    disableArc: true,
    disableBimi: true,
    mta: 'inbox.invalid',
  });
  const author = findAgreedAuthor(raw, dkim.headerFrom);
  if (author === null) return { authentication: 'failed', author };
  return { authentication: resultOf({ spf, dkim, dmarc, isUnreachable }), author };
}

function resultOf({
  spf,
  dkim,
  dmarc,
  isUnreachable,
}: Pick<AuthenticateResult, 'spf' | 'dkim' | 'dmarc'> & { isUnreachable: boolean }): MailAuthentication {
  if (!dmarc) return isUnreachable ? 'unreachable' : 'failed';
  if (dmarc.status.result === 'pass') return 'passed';
  const passed = [
    ...(spf && spf.status.result === 'pass' ? [spf.domain] : []),
    ...dkim.results.flatMap(({ status, signingDomain }) => (status.result === 'pass' ? [signingDomain] : [])),
  ];
  // A domain without a policy says nothing of alignment: then the usual, relaxed one counts (RFC 7489 §3.1.1).
  if (
    dmarc.status.result === 'none' &&
    passed.some((domain) => isAligned(domain, dmarc.status.header?.from))
  ) {
    return 'passed';
  }
  if (isUnreachable) return 'unreachable';
  const saysPolicy = dmarc.status.result !== 'none';
  const spfSays = spf && !['none', 'neutral'].includes(spf.status.result);
  const dkimSays = dkim.results.some(({ status }) => status.result !== 'none');
  return saysPolicy || spfSays || dkimSays ? 'failed' : 'unknown';
}

/** Whether both belong to one organization: their domains are the same below the public suffix. */
function isAligned(domain: string | undefined, from: string | undefined): boolean {
  const organization = from === undefined ? null : getDomain(from, { allowPrivateDomains: true });
  return (
    domain !== undefined &&
    (domain.toLowerCase() === from?.toLowerCase() ||
      (organization !== null && getDomain(domain, { allowPrivateDomains: true }) === organization))
  );
}

function isNoAnswer(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ETIMEOUT' || code === 'ECONNREFUSED';
}

/** That there is no such name or record is an answer. */
function isNoRecord(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
