import { db } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';

/**
 * Stops a start that could not read the tokens of channels which are connected.
 * @throws Error with a sentence for the operator
 */
export async function requireSecretsKey(): Promise<void> {
  if (settings().SECRETS_KEY) return;
  // A database that does not answer keeps nobody from starting: it is waited for later.
  const connected = await db()
    .channelAccount.count({ where: { deletedAt: null } })
    .catch(() => 0);
  if (connected === 0) return;
  throw new Error(
    'SECRETS_KEY is not set, but channels are connected whose tokens are encrypted with it. See .env.example for what it means.',
  );
}
