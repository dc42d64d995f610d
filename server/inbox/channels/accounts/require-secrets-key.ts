import { db } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';

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
