import { v7 as uuidv7 } from 'uuid';
import { db, inTransaction } from '#server/db.ts';
import { Refusal } from '#server/errors.ts';
import { takeFrom } from '#server/limits/limits.ts';
import { readEmail } from '#server/mail/read-email.ts';
import { queueJob } from '#server/queue-job.ts';
import { accountKey } from '#server/teammates/auth.ts';

const TOO_MANY = 'A new password was asked for too often. Wait a quarter of an hour and try again.';

/**
 * Somebody who is not signed in asks for a link to a new password. Whether there is such an account shows neither in
 * the answer nor in the work it takes: a job is queued for nobody, too, and both limits count unknown accounts.
 * @param given.address where the request comes from
 * @throws Refusal for what is no address, or past a limit
 */
export async function askForReset({ email, address }: { email: string; address: string }): Promise<void> {
  const known = readEmail(email);
  const account = accountKey(known);
  const limits = [await takeFrom('reset_address', address), await takeFrom('reset_account', account)];
  if (limits.some(({ allowed }) => !allowed)) throw new Refusal('forbidden', TOO_MANY);
  const user = await db().user.findUnique({ where: { email: known }, select: { id: true } });
  const job = { userId: user?.id ?? uuidv7(), askedAt: new Date().toISOString() };
  await inTransaction((tx) => queueJob(tx, 'mail-password-reset', job, { queue: 'mail-accounts' }));
}
