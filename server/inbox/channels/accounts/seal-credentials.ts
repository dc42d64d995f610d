import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { isSealedWithFirstKey, seal, unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';

/**
 * Encrypts the credentials of an account. They can be decrypted only for this account.
 * @throws Refusal when SECRETS_KEY is not set
 */
export function sealCredentials(
  accountId: string,
  credentials: Record<string, string>,
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(seal(JSON.stringify(credentials), accountId, secretKeys()));
}

/**
 * Re-encrypts credentials from the second key of SECRETS_KEY to the first, so the second key can be removed. Skips
 * accounts that change in the meantime. Returns the number of changed accounts.
 */
export async function reencryptCredentials(): Promise<number> {
  const { SECRETS_KEY: keys } = settings();
  if (!keys || keys.length < 2) return 0;
  const accounts = await db().channelAccount.findMany({
    where: { deletedAt: null },
    select: { id: true, credentials: true },
  });
  let count = 0;
  for (const { id, credentials } of accounts) {
    if (!credentials || isSealedWithFirstKey(credentials, keys)) continue;
    const sealed = Uint8Array.from(seal(unseal(credentials, id, keys), id, keys));
    const changed = await db().channelAccount.updateMany({
      where: { id, credentials },
      data: { credentials: sealed },
    });
    count += changed.count;
  }
  return count;
}

/**
 * Fails at startup when SECRETS_KEY is not set, but the database has encrypted channel credentials or signing keys.
 * @throws Error with a message for the operator
 */
export async function requireSecretsKey(): Promise<void> {
  if (settings().SECRETS_KEY) return;
  // An unreachable database must not stop the start: the service waits for it later.
  const sealed = Promise.all([
    db().channelAccount.count({ where: { deletedAt: null } }),
    db().emailDomain.count({ where: { dkimPrivateKey: { not: null } } }),
  ]);
  const [connected, signing] = await sealed.catch(() => [0, 0]);
  if (connected === 0 && signing === 0) return;
  throw new Error(
    'SECRETS_KEY is not set, but the database has channel credentials or mail signing keys that are encrypted with it. See .env.example.',
  );
}
