import { type AuthenticateResult, authenticate } from 'mailauth';
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import { shownEmail } from '#server/core/email-domain.ts';
import {
  type AuthenticatedMail,
  type MailAuthentication,
  type SenderChecks,
  UNAUTHENTICATED,
} from '#server/inbox/mail-parser/authenticated-mail.ts';
import { findForwarder } from '#server/inbox/mail-parser/find-forwarder.ts';
import { parseAuthor } from '#server/inbox/mail-parser/mail-addresses.ts';
import { parseMailHeaders } from '#server/inbox/mail-parser/mail-headers.ts';
import { originalDomain } from '#server/inbox/mail-parser/parse-rewritten.ts';
import { organizationOf, senderDomain } from '#server/inbox/mail-parser/sender-domain.ts';
import { replayLookups, type SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** SMTP envelope of a mail, which SPF evaluates. */
export type MailEnvelope = {
  /** IP address of the sending server; null when the mail did not arrive over SMTP. */
  ip: string | null;
  helo: string | null;
  /** Empty for the null return path. */
  from: string;
};

/**
 * Returns the author of a mail when all parsers agree: the mail must be unambiguous, and mailauth must have evaluated
 * the displayed address.
 * @param evaluated the From addresses as mailauth parsed them
 */
export function findAgreedAuthor(raw: Uint8Array, evaluated: readonly string[]): string | null {
  const { author, isUnambiguous } = parseAuthor(raw);
  const [only, ...others] = evaluated.map((address) => address.trim().toLowerCase());
  if (!author || !isUnambiguous || others.length > 0 || only === undefined) return null;
  // Other spellings of a domain in Unicode can be another domain for the evaluation.
  return [author.address, shownEmail(author.address)].includes(only) ? author.address : null;
}

/**
 * Evaluates SPF, DKIM and DMARC for the author of a mail, and if they prove nothing, ARC. Runs in a parser process, which has no network access.
 * @param lookups the DNS answers from `lookUpSender`
 */
export async function authenticateMail(
  raw: Uint8Array,
  envelope: MailEnvelope,
  lookups: SenderLookups,
): Promise<AuthenticatedMail> {
  const replay = replayLookups(lookups.answers);
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const evaluated = await authenticate(bytes, {
    ...(envelope.ip === null
      ? {}
      : { ip: envelope.ip, helo: envelope.helo ?? envelope.ip, sender: envelope.from }),
    resolver: replay.resolver,
    rejectRsaSha1: true,
    disableArc: true,
    disableBimi: true,
    mta: 'inbox.invalid',
  });
  // Without an address, mailauth reports that the lookup failed.
  const result = envelope.ip === null ? { ...evaluated, spf: false as const } : evaluated;
  const author = findAgreedAuthor(raw, result.dkim.headerFrom);
  if (author === null) return UNAUTHENTICATED;
  const original = originalDomain(parseMailHeaders(raw));
  const judged = await judge(result, envelope, replay);
  const from = result.dmarc ? result.dmarc.status.header?.from : undefined;
  const forwarder =
    judged === 'passed' || !from ? null : await findForwarder(bytes, from.toLowerCase(), lookups);
  return {
    authentication: forwarder === null ? judged : 'passed',
    checks: checksOf(result, forwarder),
    author,
    signedFields: findSignedFields(raw, result.dkim.results, author),
    isOpenDomain: original !== undefined && (await isOpen(original, lookups)),
  };
}

/** Maximum number of signatures in `SenderChecks`. */
const SIGNATURES_MAX = 3;
/** Maximum length of a domain in `SenderChecks`. */
const DOMAIN_MAX_LENGTH = 255;

function checksOf({ spf, dkim, dmarc }: AuthenticateResult, forwarder: string | null): SenderChecks {
  const check = (result: string, domain: string | undefined) => ({
    result,
    domain: shownEmail(domain ?? '').slice(0, DOMAIN_MAX_LENGTH),
  });
  const signatures = dkim.results
    .filter(({ signingDomain }) => signingDomain !== undefined)
    .map(({ status, signingDomain }) => check(status.underSized ? 'policy' : status.result, signingDomain));
  return {
    spf: spf ? check(spf.status.result, spf.domain) : null,
    dkim: signatures
      .toSorted((a, b) => Number(b.result === 'pass') - Number(a.result === 'pass'))
      .slice(0, SIGNATURES_MAX),
    dmarc: dmarc
      ? { ...check(dmarc.status.result, dmarc.status.header?.from), policy: dmarc.policy ?? null }
      : null,
    forwarder,
  };
}

/**
 * Returns the fields that a signature of the author's own domain covers. A field that occurs twice is left out, because
 * only one of the two is signed. So is a signature with a length limit (`l=`), which anyone can put on another mail.
 */
function findSignedFields(
  raw: Uint8Array,
  signatures: AuthenticateResult['dkim']['results'],
  author: string,
): string[] {
  const domain = author.slice(author.lastIndexOf('@') + 1);
  const keys = parseMailHeaders(raw).map(({ key }) => key);
  const signed = signatures
    .filter((each) => each.status.result === 'pass' && each.signingDomain === domain)
    .filter((each) => !each.canonBodyLengthLimited)
    .flatMap(({ signingHeaders }) => signingHeaders?.headers ?? [])
    .map((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase());
  return [...new Set(signed)].filter((key) => keys.filter((each) => each === key).length === 1);
}

/** Returns whether a domain publishes nothing that could prove or refute a sender. Missing answers count as records. */
async function isOpen(domain: string, { answers }: SenderLookups): Promise<boolean> {
  const { resolver, unanswered, ...replay } = replayLookups(answers);
  const { response } = await evaluateDmarc({
    headerFrom: [`author@${domain}`],
    spfDomains: [],
    dkimDomains: [],
    resolver,
  });
  const texts = await resolver(domain, 'TXT').catch(() => []);
  const hasSpf = texts.flat().some((text) => text.toLowerCase().startsWith('v=spf1'));
  return (
    replay.isComplete &&
    unanswered.size === 0 &&
    !hasSpf &&
    response !== false &&
    response.status.result === 'none'
  );
}

type Dmarc = Exclude<AuthenticateResult['dmarc'], false>;

/**
 * Judges the results for the domain of From. Records of other domains, such as that of a server which forwards the mail, neither prove
 * nor refute anything: a forger can do without them.
 */
async function judge(
  { spf, dkim, dmarc }: Pick<AuthenticateResult, 'spf' | 'dkim' | 'dmarc'>,
  envelope: MailEnvelope,
  { unanswered, isComplete, resolver }: ReturnType<typeof replayLookups>,
): Promise<MailAuthentication> {
  // From has no domain to authenticate.
  if (!dmarc) return 'failed';
  if (['pass', 'none'].includes(dmarc.status.result) && isProven({ spf, dkim, dmarc })) return 'passed';
  // A header section that hides names from `lookUpSender` must not get a better result.
  if (!isComplete) return 'failed';
  const from = dmarc.status.header?.from;
  const isOwnSpf = spf && isAligned(spf.domain, from);
  // Without an envelope sender, SPF evaluates the name of the server.
  const restricts = !isOwnSpf && spf && envelope.from !== '' && (await restrictsSenders(from, resolver));
  if (isUnanswered(unanswered, envelope, from)) return 'unknown';
  const saysPolicy = dmarc.status.result !== 'none';
  const spfSays = isOwnSpf ? !['none', 'neutral'].includes(spf.status.result) : restricts;
  const dkimSays = dkim.results.some(
    ({ status, signingDomain }) => status.result !== 'none' && isAligned(signingDomain, from),
  );
  return saysPolicy || spfSays || dkimSays ? 'failed' : 'unknown';
}

/** Returns whether a domain says by SPF that other servers do not send its mail. `?all` and no `all` say nothing (RFC 7208 §8.2). */
async function restrictsSenders(
  domain: string | undefined,
  resolver: ReturnType<typeof replayLookups>['resolver'],
): Promise<boolean> {
  const records = await resolver(domain ?? '', 'TXT').catch(() => []);
  return records.some((record) => {
    // A record is a list of strings (RFC 7208 §3.3).
    const [version, ...terms] = [record].flat().join('').toLowerCase().split(' ');
    return (
      version === 'v=spf1' &&
      terms.some((term) => term === '-all' || term === '~all' || term.startsWith('redirect='))
    );
  });
}

/**
 * Returns whether SPF or a signature proves the domain of From. A signature that covers only the start of the body (`l=`)
 * proves nothing, because anyone can append to it.
 */
function isProven({
  spf,
  dkim,
  dmarc,
}: Pick<AuthenticateResult, 'spf' | 'dkim'> & { dmarc: Dmarc }): boolean {
  const from = dmarc.status.header?.from;
  const { alignment } = dmarc;
  return (
    (spf && spf.status.result === 'pass' && isAligned(spf.domain, from, alignment?.spf.strict)) ||
    dkim.results.some(
      ({ status, signingDomain }) =>
        status.result === 'pass' &&
        !status.underSized &&
        isAligned(signingDomain, from, alignment?.dkim.strict),
    )
  );
}

/**
 * Returns true when both domains belong to one organization, or with strict alignment are the same (RFC 9989). The evaluation
 * of DMARC finds organizations by the published policies, which the tenants of a shared domain such as a hosting service can
 * have in common. The public suffix list, with its private part, tells them apart.
 */
function isAligned(domain: string | undefined, from: string | undefined, isStrict = false): boolean {
  if (domain === undefined || from === undefined) return false;
  return isStrict
    ? domain.toLowerCase() === from.toLowerCase()
    : organizationOf(domain) === organizationOf(from);
}

/**
 * Returns true when a missing DNS answer could have changed the result, for a name that the sender cannot choose: the
 * DMARC policy of the From domain, or SPF of that domain or its organization. A sender can name a key, or a subdomain in
 * the envelope, whose name server never answers. That must not turn `failed` into `unknown`.
 */
function isUnanswered(names: ReadonlySet<string>, envelope: MailEnvelope, from: string | undefined): boolean {
  const isOwnSpf =
    from !== undefined && [from.toLowerCase(), organizationOf(from)].includes(senderDomain(envelope));
  return [...names].some((name) => {
    if (/(?:^|\.)_domainkey\./.test(name)) return false;
    if (name === from?.toLowerCase()) return true;
    return /(?:^|\.)_dmarc\./.test(name) ? isAligned(name, from) : isOwnSpf;
  });
}
