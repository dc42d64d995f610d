import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { type TextResolver, textRecordProblem } from '#server/core/mail/dns-text-records.ts';
import { isSealedWithFirstKey, seal, unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace, requireManager } from '#server/teammates/require-role.ts';

/** As RFC 8301 §3.2 asks for; a longer key does not fit into the DNS answers of some providers. */
const KEY_BITS = 2_048;

const newKeyPair = promisify(generateKeyPair);

/**
 * Makes the key that signs the mail of a domain (DKIM), in place of the one it had: mail leaves unsigned until the new
 * one's record is found. The private half is sealed under SECRETS_KEY and never leaves the service.
 * @throws Refusal unless owner or admin, when there is no such domain, or the operator has set no SECRETS_KEY
 */
export async function makeSigningKey(given: {
  workspaceId: string;
  domainId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, domainId: id, by } = given;
  if (!isUuid(id)) throw notFound('The domain');
  const keys = secretKeys();
  await inTransaction((tx) => requireManager(tx, { workspaceId, userId: by.id }));
  const { privateKey, publicKey } = await newKeyPair('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
    const [domain] = await tx.emailDomain.updateManyAndReturn({
      where: { id, workspaceId },
      data: {
        // Never one of before: the DNS remembers records for hours.
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
 * Looks up whether the record of a domain's signing key is in the DNS. While it is, mail from there is signed; once it is
 * no longer found, mail leaves unsigned. No transaction is open meanwhile.
 * @returns null when it was found, else why not, as a sentence
 * @throws Refusal unless owner or admin, when there is no such domain or no key, or past 30 look-ups a minute
 */
export async function checkSigningKey(
  resolver: TextResolver,
  given: { workspaceId: string; domainId: string; by: Teammate },
): Promise<string | null> {
  const { workspaceId, domainId: id, by } = given;
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
  if (!(await takeFrom('domain_check', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const problem = await textRecordProblem(resolver, {
    name: signingRecord({ domain, selector, publicKey }).name,
    domain,
    isRight: (text) => holdsKey(text, publicKey),
  });
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
    // Of this key: another one may have been made meanwhile.
    await tx.emailDomain.updateMany({
      where: { id, workspaceId, dkimPublicKey: publicKey },
      data: { dkimCheckedAt: problem === undefined ? new Date() : null },
    });
  });
  return problem ?? null;
}

/** What the owner of a domain puts into its DNS so that signed mail can be checked. */
type SigningRecord = { type: 'TXT'; name: string; value: string };

/** The record of a key (RFC 6376 §3.6.1). `publicKey`: SubjectPublicKeyInfo in base64. */
export function signingRecord(key: { domain: string; selector: string; publicKey: string }): SigningRecord {
  return {
    type: 'TXT',
    name: `${key.selector}._domainkey.${key.domain}`,
    value: `v=DKIM1; k=rsa; p=${key.publicKey}`,
  };
}

/** Whether a record in the DNS holds the key; tags may come in any order and with spaces (RFC 6376 §3.2). */
export function holdsKey(text: string, publicKey: string): boolean {
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

/**
 * Encrypts signing keys again, under the first key of SECRETS_KEY, that the second one encrypted. What changes meanwhile
 * stays as it is. Returns how many it was.
 */
export async function sealKeysAgain(): Promise<number> {
  const { SECRETS_KEY: keys } = settings();
  if (!keys || keys.length < 2) return 0;
  const domains = await db().emailDomain.findMany({
    where: { dkimPrivateKey: { not: null } },
    select: { id: true, dkimPrivateKey: true },
  });
  let count = 0;
  for (const { id, dkimPrivateKey: sealed } of domains) {
    if (!sealed || isSealedWithFirstKey(sealed, keys)) continue;
    const changed = await db().emailDomain.updateMany({
      where: { id, dkimPrivateKey: sealed },
      data: { dkimPrivateKey: Uint8Array.from(seal(unseal(sealed, id, keys), id, keys)) },
    });
    count += changed.count;
  }
  return count;
}
