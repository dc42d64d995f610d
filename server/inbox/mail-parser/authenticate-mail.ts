import { type AuthenticateResult, authenticate } from 'mailauth';
import { parseAuthor } from '#server/inbox/mail-parser/mail-addresses.ts';
import { organizationOf, senderDomain } from '#server/inbox/mail-parser/sender-domain.ts';
import { replayLookups, type SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

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
 * when neither does though the domain publishes a policy; `unknown` when it says nothing, or its name servers do not.
 */
export type MailAuthentication = 'passed' | 'failed' | 'unknown';

/** The result, and the address that it is about, in lowercase; null when the mail does not name exactly one author. */
export type AuthenticatedMail = { authentication: MailAuthentication; author: string | null };

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
 * Evaluates SPF, DKIM and DMARC for the author of a mail. Runs in a parser process, which has no network.
 * @param lookups the answers of the name servers (`lookUpSender`)
 */
export async function authenticateMail(
  raw: Uint8Array,
  envelope: MailEnvelope,
  lookups: SenderLookups,
): Promise<AuthenticatedMail> {
  const replay = replayLookups(lookups.answers);
  const result = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ...(envelope.ip === null
      ? {}
      : { ip: envelope.ip, helo: envelope.helo ?? envelope.ip, sender: envelope.from }),
    resolver: replay.resolver,
    rejectRsaSha1: true,
    disableArc: true,
    disableBimi: true,
    mta: 'inbox.invalid',
  });
  const author = findAgreedAuthor(raw, result.dkim.headerFrom);
  return { authentication: author === null ? 'failed' : judge(result, envelope, replay), author };
}

function judge(
  { spf, dkim, dmarc }: Pick<AuthenticateResult, 'spf' | 'dkim' | 'dmarc'>,
  envelope: MailEnvelope,
  { unanswered, isComplete }: ReturnType<typeof replayLookups>,
): MailAuthentication {
  // From has no domain: nothing that could be believed.
  if (!dmarc) return 'failed';
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
  // A header that hides names from `lookUpSender` must not be better off.
  if (!isComplete) return 'failed';
  if (isUnanswered(unanswered, envelope, dmarc.status.header?.from)) return 'unknown';
  const saysPolicy = dmarc.status.result !== 'none';
  const spfSays = spf && !['none', 'neutral'].includes(spf.status.result);
  const dkimSays = dkim.results.some(({ status }) => status.result !== 'none');
  return saysPolicy || spfSays || dkimSays ? 'failed' : 'unknown';
}

/** Whether both belong to one organization (relaxed alignment, RFC 7489 §3.1.1). */
function isAligned(domain: string | undefined, from: string | undefined): boolean {
  return domain !== undefined && from !== undefined && organizationOf(domain) === organizationOf(from);
}

/**
 * Whether a missing answer could have changed the verdict: one about the domain in From, or about an envelope that belongs to
 * it. Other domains are the sender's choice: their silence must not turn `failed` into `unknown`.
 */
function isUnanswered(names: ReadonlySet<string>, envelope: MailEnvelope, from: string | undefined): boolean {
  if (names.size === 0) return false;
  const spfDomain = senderDomain(envelope);
  const isSpf = (name: string) => !/(?:^|\.)_(?:dmarc|domainkey)\./.test(name);
  return [...names].some((name) => isAligned(name, from) || (isSpf(name) && isAligned(spfDomain, from)));
}
