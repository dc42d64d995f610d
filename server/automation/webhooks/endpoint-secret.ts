import { randomBytes } from 'node:crypto';
import { db } from '#server/core/database/prisma.ts';
import { reencrypt } from '#server/core/reencrypt.ts';
import { seal, unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';

/** Prefix of secrets as people see them. The base64 after it are the bytes of the key (Standard Webhooks). */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

type Sealed = Uint8Array<ArrayBuffer>;

/** Creates the secret of an endpoint. @throws Refusal when SECRETS_KEY is not set */
export function newSecret(endpointId: string): { shown: string; sealed: Sealed } {
  const text = randomBytes(SECRET_BYTES).toString('base64');
  return { shown: `${PREFIX}${text}`, sealed: Uint8Array.from(seal(text, endpointId, secretKeys())) };
}

/** Returns a secret as people and libraries use it. */
export function showSecret(sealed: Uint8Array, endpointId: string): string {
  return `${PREFIX}${unseal(sealed, endpointId, secretKeys())}`;
}

/** Re-encrypts the secrets of endpoints with the first key of SECRETS_KEY, as `reencrypt` does. */
export async function reencryptEndpointSecrets(): Promise<number> {
  const failure = 'webhook.not_reencrypted';
  const endpoints = () =>
    db().webhookEndpoint.findMany({ select: { id: true, secret: true, earlierSecret: true } });
  const current = await reencrypt(
    failure,
    async () => (await endpoints()).map(({ id, secret }) => ({ id, sealed: secret })),
    (id, { old, sealed }) =>
      db().webhookEndpoint.updateMany({ where: { id, secret: old }, data: { secret: sealed } }),
  );
  const earlier = await reencrypt(
    failure,
    async () => (await endpoints()).map(({ id, earlierSecret }) => ({ id, sealed: earlierSecret })),
    (id, { old, sealed }) =>
      db().webhookEndpoint.updateMany({ where: { id, earlierSecret: old }, data: { earlierSecret: sealed } }),
  );
  return current + earlier;
}
