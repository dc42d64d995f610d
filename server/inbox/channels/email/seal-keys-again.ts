import { db } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { isSealedWithFirstKey, seal, unseal } from '#server/core/seal.ts';

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
