import { db } from '#server/core/database/db.ts';
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
