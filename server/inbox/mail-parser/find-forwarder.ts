import { authenticate } from 'mailauth';
import { z } from 'zod';
import { parseMailHeaders } from '#server/inbox/mail-parser/mail-headers.ts';
import { isForwarder, organizationOf } from '#server/inbox/mail-parser/sender-domain.ts';
import { replayLookups, type SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

const check = z.object({
  result: z.string().optional(),
  /** The result in all sets of a chain but the newest. */
  value: z.string().optional(),
  header: z.object({ from: z.string(), i: z.string(), d: z.string() }).partial().optional(),
  smtp: z.object({ mailfrom: z.string() }).partial().optional(),
});
type Check = z.infer<typeof check>;

/** Results of a forwarder (RFC 8601), as mailauth parses them. */
const forwarderResults = z.object({
  dmarc: check.optional(),
  spf: check.optional(),
  dkim: z.array(check).default([]),
});

/**
 * Returns the domain of the provider that forwarded a mail and found before that the domain of From had sent it; null if there is none.
 * Forwarding breaks SPF, and changes break signatures. The chain of seals must be valid, its newest signature must cover From
 * and the whole body, and only the forwarders may have added to it since.
 * @param domain the domain of From
 */
export async function findForwarder(
  raw: Buffer,
  domain: string,
  { answers }: SenderLookups,
): Promise<string | null> {
  if (!parseMailHeaders(raw).some(({ key }) => key === 'arc-seal')) return null;
  // Another replay: names of an invalid chain that were not looked up say nothing about the other results.
  const { resolver } = replayLookups(answers);
  const { arc } = await authenticate(raw, {
    resolver,
    disableDmarc: true,
    disableBimi: true,
    mta: 'inbox.invalid',
  });
  if (arc === false || arc.status.result !== 'pass' || !arc.signature) return null;
  const { signature } = arc;
  const coversFrom = signature.signingHeaders?.headers.some((line) => /^from\s*:/i.test(line)) ?? false;
  if (!coversFrom || signature.canonBodyLengthLimited) return null;
  for (const set of arc.chain?.toReversed() ?? []) {
    const sealer = sealerOf(set['arc-seal']);
    if (sealer === null || !isForwarder(sealer)) return null;
    if (isAmbiguous(`${set['arc-authentication-results']?.original}`)) continue;
    const isNewest = set.i === arc.i;
    const results = forwarderResults.safeParse(
      isNewest ? arc.authenticationResults : set['arc-authentication-results']?.parsed,
    );
    if (results.success && isProvenBy(results.data, domain)) return sealer;
  }
  return null;
}

/**
 * Returns whether results have quotes, except of values such as header.b="a/b", or comments without a space around them. They repeat
 * names that the sender chose, and programs may not agree on where such a name ends.
 */
function isAmbiguous(results: string): boolean {
  return /"|\S\(|\)[^\s;]/.test(results.replaceAll(/="[^\s"();\\]*"/g, ''));
}

function sealerOf(seal: { parsed?: unknown } | undefined): string | null {
  const named = z.object({ d: z.object({ value: z.string() }) }).safeParse(seal?.parsed);
  return named.success ? named.data.d.value.toLowerCase() : null;
}

/** Returns whether DMARC passed for the domain of From, or without a policy SPF or a signature of its organization. */
function isProvenBy({ dmarc, spf, dkim }: z.infer<typeof forwarderResults>, domain: string): boolean {
  const policy = dmarc ? resultOf(dmarc) : 'none';
  if (policy === 'pass') return dmarc?.header?.from?.toLowerCase() === domain;
  // Microsoft writes "bestguesspass" for a domain without a policy.
  if (policy !== 'none' && policy !== 'bestguesspass') return false;
  const isOf = (identity: string | undefined) =>
    identity !== undefined && organizationOf(domainOf(identity)) === organizationOf(domain);
  return (
    (spf !== undefined && resultOf(spf) === 'pass' && isOf(spf.smtp?.mailfrom)) ||
    dkim.some((each) => resultOf(each) === 'pass' && isOf(each.header?.d ?? each.header?.i))
  );
}

function resultOf({ result, value }: Check): string | undefined {
  return (result ?? value)?.toLowerCase();
}

function domainOf(identity: string): string {
  return identity.slice(identity.lastIndexOf('@') + 1).toLowerCase();
}
