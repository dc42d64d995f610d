import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { seal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

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
