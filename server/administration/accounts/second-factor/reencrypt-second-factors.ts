import { db } from '#server/core/database/prisma.ts';
import { reencrypt } from '#server/core/reencrypt.ts';

/** Re-encrypts the secrets of second factors with the first key of SECRETS_KEY, as `reencrypt` does. */
export function reencryptSecondFactors(): Promise<number> {
  return reencrypt(
    'second_factor.not_reencrypted',
    async () =>
      (await db().secondFactor.findMany({ select: { userId: true, secret: true } })).map(
        ({ userId, secret }) => ({ id: userId, sealed: secret }),
      ),
    (userId, { old, sealed }) =>
      db().secondFactor.updateMany({ where: { userId, secret: old }, data: { secret: sealed } }),
  );
}
