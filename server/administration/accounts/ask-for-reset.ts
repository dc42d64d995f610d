import { v7 as uuidv7 } from 'uuid';
import { requireEmail } from '#server/contract/parse-email.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { requestAddress } from '#server/core/limits/request-address.ts';
import { accountAtAddress, accountKey } from '#server/teammates/account-key.ts';
import { findKnownBrowser } from '#server/teammates/known-browser.ts';

const TOO_MANY =
  'Too many password links were requested. Use the one from the last hour, or try again in 15 minutes.';

/**
 * Someone who is not signed in asks for a link to a new password. Whether there is such an account shows neither in
 * the response nor in the work it takes: a job is queued for no one, too, and all limits count unknown accounts.
 *
 * Strangers cannot use up what the owner may ask for: a browser that signed in before has requests of its own, and they
 * count per address. Nor can they flood a mailbox: once `reset_mail` is used up the response is the same and nothing is
 * mailed, as a link that still works lies in the mailbox already.
 * @param given.headers of the request
 * @throws Refusal for what is no address, or past a limit
 */
export async function askForReset(given: { email: string; headers: Headers }): Promise<void> {
  const email = requireEmail(given.email);
  if (!(await mayMail(email, given.headers))) return;
  const user = await db().user.findUnique({ where: { email }, select: { id: true } });
  const job = { userId: user?.id ?? uuidv7(), askedAt: new Date().toISOString() };
  await inTransaction((tx) => queueJob(tx, 'mail-password-reset', job, { queue: 'mail-accounts' }));
}

/** False when strangers had as many links mailed to the account as may be. */
async function mayMail(email: string, headers: Headers): Promise<boolean> {
  const browser = await findKnownBrowser(headers, email);
  if (browser !== undefined && (await takeFrom('reset_browser', browser)).allowed) return true;
  const address = requestAddress(headers);
  const limits = [
    await takeFrom('reset_address', address),
    await takeFrom('reset_account', accountAtAddress(email, address)),
  ];
  if (limits.some(({ allowed }) => !allowed)) throw new Refusal('forbidden', TOO_MANY);
  return (await takeFrom('reset_mail', accountKey(email))).allowed;
}
