import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { isSealedWithFirstKey, seal, unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';

/**
 * The credentials of an account as they are kept. They open for this account alone.
 * @throws Refusal when the operator has set no SECRETS_KEY
 */
export function sealCredentials(
  accountId: string,
  credentials: Record<string, string>,
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(seal(JSON.stringify(credentials), accountId, secretKeys()));
}

/**
 * Encrypts again, under the first key, what the second one encrypted, so that the second can be taken out of SECRETS_KEY.
 * What changes meanwhile stays as it is. Returns how many accounts it was.
 */
export async function sealAgain(): Promise<number> {
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
 * Stops a start that could not read the tokens of channels which are connected, or the keys that sign mail.
 * @throws Error with a sentence for the operator
 */
export async function requireSecretsKey(): Promise<void> {
  if (settings().SECRETS_KEY) return;
  // A database that does not answer keeps no one from starting: it is waited for later.
  const sealed = Promise.all([
    db().channelAccount.count({ where: { deletedAt: null } }),
    db().emailDomain.count({ where: { dkimPrivateKey: { not: null } } }),
  ]);
  const [connected, signing] = await sealed.catch(() => [0, 0]);
  if (connected === 0 && signing === 0) return;
  throw new Error(
    'SECRETS_KEY is not set, but channels are connected or domains sign their mail, whose secrets are encrypted with it. See .env.example for what it means.',
  );
}
