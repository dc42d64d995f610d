import { settings } from '#server/core/env.ts';
import { invalid } from '#server/core/errors.ts';
import type { SecretKeys } from '#server/core/seal.ts';

const NO_KEY =
  'Secrets cannot be stored yet: the operator of this service first has to set SECRETS_KEY, which encrypts them.';

/**
 * Returns the keys that encrypt secrets in the database.
 * @throws Refusal when the operator has set none
 */
export function secretKeys(): SecretKeys {
  const { SECRETS_KEY } = settings();
  if (!SECRETS_KEY) throw invalid({ secret: [NO_KEY] });
  return SECRETS_KEY;
}
