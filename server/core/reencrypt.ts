import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { isSealedWithFirstKey, seal, unseal } from '#server/core/seal.ts';

type Sealed = Uint8Array<ArrayBuffer>;

/**
 * Re-encrypts secrets from the second key of SECRETS_KEY to the first, so that the second key can be removed. A secret that
 * fails is logged under the name `failure` and does not delay the others.
 * @param find returns the secrets, each with the id of its record
 * @param replace stores a secret unless it changed in the meantime, and returns the number of changed records
 * @returns the number of changed records
 * @throws after the last secret, when any of them failed: the second key is still needed
 */
export async function reencrypt(
  failure: string,
  find: () => Promise<{ id: string; sealed: Sealed | null }[]>,
  replace: (id: string, secret: { old: Sealed; sealed: Sealed }) => Promise<{ count: number }>,
): Promise<number> {
  const { SECRETS_KEY: keys } = settings();
  if (!keys || keys.length < 2) return 0;
  let changed = 0;
  let failed = 0;
  for (const { id, sealed: old } of await find()) {
    if (!old || isSealedWithFirstKey(old, keys)) continue;
    try {
      const sealed = Uint8Array.from(seal(unseal(old, id, keys), id, keys));
      changed += (await replace(id, { old, sealed })).count;
    } catch (error) {
      log().warn({ err: error, id }, failure);
      failed += 1;
    }
  }
  if (failed > 0)
    throw new Error(`Secrets that could not be encrypted with the first key of SECRETS_KEY: ${failed}.`);
  return changed;
}
