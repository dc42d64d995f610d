import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { type TextResolver, textRecordProblem } from '#server/core/mail/dns-text-records.ts';
import { reencrypt } from '#server/core/reencrypt.ts';
import { seal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager, requireManager } from '#server/teammates/require-role.ts';

/** Minimum of RFC 8301 §3.2. Longer keys do not fit into the DNS records of some providers. */
const KEY_BITS = 2_048;

const newKeyPair = promisify(generateKeyPair);

/**
 * Creates a DKIM key for a domain and replaces the previous key. Mail is sent unsigned until the new key's DNS record
 * is found. The private key is encrypted with SECRETS_KEY and never leaves the service.
 * @throws Refusal unless `by` is owner or admin, when the domain does not exist, or SECRETS_KEY is not set
 */
export async function makeSigningKey(which: {
  workspaceId: string;
  domainId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, domainId: id, by } = which;
  if (!isUuid(id)) throw notFound('The domain');
  const keys = secretKeys();
  await inTransaction((tx) => requireManager(tx, { workspaceId, userId: by.id }));
  const { privateKey, publicKey } = await newKeyPair('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await asManager(which, async (tx) => {
    const [domain] = await tx.emailDomain.updateManyAndReturn({
      where: { id, workspaceId },
      data: {
        // Always a new selector: resolvers cache records for hours.
        dkimSelector: `inbox-${randomBytes(4).toString('hex')}`,
        dkimPrivateKey: Uint8Array.from(seal(privateKey, id, keys)),
        dkimPublicKey: publicKey.toString('base64'),
        dkimCheckedAt: null,
      },
      select: { domain: true },
    });
    if (!domain) throw notFound('The domain');
    await addAuditEntry(tx, { workspaceId, kind: 'signing_key_made', by, data: domain });
  });
  log().info({ workspaceId, emailDomainId: id, userId: by.id }, 'signing_key.made');
}

const TOO_MANY = 'The domain was checked too often. Wait a minute and try again.';

/**
 * Checks whether the DNS record of a domain's signing key is published. Mail is signed while the record is found, and
 * unsigned otherwise. No transaction is open during the lookup.
 * @returns null when the record was found, else the problem as a sentence
 * @throws Refusal unless `by` is owner or admin, when the domain or its key does not exist, or after 30 checks a minute
 */
export async function checkSigningKey(
  resolver: TextResolver,
  which: { workspaceId: string; domainId: string; by: Teammate },
): Promise<string | null> {
  const { workspaceId, domainId: id, by } = which;
  await inTransaction((tx) => requireManager(tx, { workspaceId, userId: by.id }));
  const found = isUuid(id)
    ? await db().emailDomain.findFirst({
        where: { id, workspaceId },
        select: { domain: true, dkimSelector: true, dkimPublicKey: true },
      })
    : null;
  if (!found) throw notFound('The domain');
  const { domain, dkimSelector: selector, dkimPublicKey: publicKey } = found;
  if (selector === null || publicKey === null) throw invalid({ domain: [`${domain} has no key yet.`] });
  if (!(await consumeLimit('domain_check', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const problem = await textRecordProblem(resolver, {
    name: signingRecord({ domain, selector, publicKey }).name,
    domain,
    isRight: (text) => containsKey(text, publicKey),
  });
  await asManager(which, async (tx) => {
    // Only for this key: another request may have replaced it in the meantime.
    await tx.emailDomain.updateMany({
      where: { id, workspaceId, dkimPublicKey: publicKey },
      data: { dkimCheckedAt: problem === undefined ? new Date() : null },
    });
  });
  return problem ?? null;
}

/** DNS record that the domain's owner adds, so that receivers can verify signatures. */
type SigningRecord = { type: 'TXT'; name: string; value: string };

/** Returns the DNS record of a key (RFC 6376 §3.6.1). `publicKey` is a SubjectPublicKeyInfo in base64. */
export function signingRecord(key: { domain: string; selector: string; publicKey: string }): SigningRecord {
  return {
    type: 'TXT',
    name: `${key.selector}._domainkey.${key.domain}`,
    value: `v=DKIM1; k=rsa; p=${key.publicKey}`,
  };
}

/** Returns true when a DNS record contains the key. Tags may be in any order, with spaces (RFC 6376 §3.2). */
export function containsKey(text: string, publicKey: string): boolean {
  const tags = new Map(
    text.split(';').map((tag): [string, string] => {
      const at = tag.indexOf('=');
      return [tag.slice(0, at).trim(), tag.slice(at + 1).replaceAll(/\s/g, '')];
    }),
  );
  const version = tags.get('v');
  const kind = tags.get('k');
  return (
    (version === undefined || version === 'DKIM1') &&
    (kind === undefined || kind === 'rsa') &&
    tags.get('p') === publicKey
  );
}

/** Re-encrypts the signing keys of domains with the first key of SECRETS_KEY, as `reencrypt` does. */
export function reencryptSigningKeys(): Promise<number> {
  return reencrypt('signing_key.not_reencrypted', findSealed, (id, { old, sealed }) =>
    db().emailDomain.updateMany({ where: { id, dkimPrivateKey: old }, data: { dkimPrivateKey: sealed } }),
  );
}

async function findSealed() {
  const domains = await db().emailDomain.findMany({
    where: { dkimPrivateKey: { not: null } },
    select: { id: true, dkimPrivateKey: true },
  });
  return domains.map(({ id, dkimPrivateKey }) => ({ id, sealed: dkimPrivateKey }));
}
