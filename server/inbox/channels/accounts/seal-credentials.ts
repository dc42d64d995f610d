import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { reencrypt } from '#server/core/reencrypt.ts';
import { seal } from '#server/core/seal.ts';
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

/** Re-encrypts the credentials of accounts with the first key of SECRETS_KEY, as `reencrypt` does. */
export function reencryptCredentials(): Promise<number> {
  return reencrypt('channel.not_reencrypted', findSealed, (id, { old, sealed }) =>
    db().channelAccount.updateMany({ where: { id, credentials: old }, data: { credentials: sealed } }),
  );
}

async function findSealed() {
  const accounts = await db().channelAccount.findMany({
    where: { deletedAt: null },
    select: { id: true, credentials: true },
  });
  return accounts.map(({ id, credentials }) => ({ id, sealed: credentials }));
}

/**
 * Fails at startup when SECRETS_KEY is not set, but the database has secrets that are encrypted with it.
 * @throws Error with a message for the operator
 */
export async function requireSecretsKey(): Promise<void> {
  if (settings().SECRETS_KEY) return;
  // An unreachable database must not stop the start: the service waits for it later.
  const sealed = Promise.all([
    db().channelAccount.count({ where: { deletedAt: null } }),
    db().emailDomain.count({ where: { dkimPrivateKey: { not: null } } }),
    db().webhookEndpoint.count(),
    db().secondFactor.count(),
    db().singleSignOn.count(),
  ]);
  const counts = await sealed.catch(() => []);
  if (counts.every((count) => count === 0)) return;
  throw new Error(
    'SECRETS_KEY is not set, but the database has channel credentials, mail signing keys, or secrets of webhooks, authenticator apps or single sign-on that are encrypted with it. See .env.example.',
  );
}
