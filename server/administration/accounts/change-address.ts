import { v7 as uuidv7 } from 'uuid';
import { checkPassword } from '#server/administration/accounts/change-password.ts';
import { requireEmail } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { consumeLimit, resetLimit } from '#server/core/limits/limits.ts';
import { digest } from '#server/core/secrets.ts';
import { addSignInEntries, type SignInAuditKind } from '#server/teammates/audit-log.ts';
import { accountKey } from '#server/teammates/limit-sign-in.ts';
import { refuseLeavingSignOn } from '#server/teammates/refuse-leaving-sign-on.ts';

/** Time in which the new address can be confirmed. */
const CONFIRM_MS = 24 * 60 * 60 * 1_000;
/** Time in which the old address can undo a change, from its request on. */
export const UNDO_DAYS = 7;

const OWN = 'This is your address already.';
const TOO_MANY = 'Too many changes of the address were requested. Try again in an hour.';

/**
 * Requests another email address for an account. A job sends a link to both addresses: nothing changes before the new one is
 * confirmed, and the old one can prevent or undo the change. The response does not reveal whether the new address has an account.
 * @throws Refusal when the password is wrong or the address is invalid
 */
export async function requestAddressChange(change: {
  user: Teammate;
  sessionId: string;
  password: string;
  email: string;
}): Promise<{ email: string }> {
  const { user } = change;
  const email = requireEmail(change.email).toLowerCase();
  if (email === user.email) throw invalid({ email: [OWN] });
  await checkPassword(change);
  if (!(await consumeLimit('address_change', user.id)).allowed) throw new Refusal('forbidden', TOO_MANY);
  await inTransaction(async (tx) => {
    const [current] = await tx.$queryRaw<{ email: string }[]>`
      select email from users where id = ${user.id}::uuid for update`;
    if (!current) throw notFound('The account');
    await refuseLeavingSignOn(tx, { userId: user.id, email });
    await tx.addressChange.updateMany({
      where: { userId: user.id, confirmedAt: null, endedAt: null },
      data: { endedAt: new Date() },
    });
    const { id: changeId } = await tx.addressChange.create({
      data: {
        userId: user.id,
        oldEmail: current.email,
        newEmail: email,
        expiresAt: new Date(Date.now() + CONFIRM_MS),
      },
      select: { id: true },
    });
    await record(tx, user.id, 'address_change_requested', { to: email });
    await queueJob(tx, 'mail-address-change', { changeId }, { queue: 'mail-accounts' });
  });
  return { email };
}

/** An emailed link, which confirms the change, prevents it or undoes it. */
export type AddressLink = { kind: 'confirm' | 'refuse' | 'undo'; oldEmail: string; newEmail: string };

/** Returns what the token of an emailed link does now, or null when it does nothing any more. */
export async function findAddressLink(token: string): Promise<AddressLink | null> {
  const [row] = await sql().$queryRaw<(AddressLink & { isConfirm: boolean; isConfirmed: boolean })[]>`
    select old_email as "oldEmail", new_email as "newEmail", confirm_hash = ${digest(token)} as "isConfirm",
      confirmed_at is not null as "isConfirmed"
    from address_changes
    where ended_at is null and (
      confirm_hash = ${digest(token)} and confirmed_at is null and expires_at > now()
      or refuse_hash = ${digest(token)} and created_at > now() - make_interval(days => ${UNDO_DAYS}))`;
  if (!row) return null;
  const { oldEmail, newEmail, isConfirm, isConfirmed } = row;
  if (isConfirm) return { kind: 'confirm', oldEmail, newEmail };
  return { kind: isConfirmed ? 'undo' : 'refuse', oldEmail, newEmail };
}

const NOT_VALID =
  'This link is no longer valid: it was used, has expired, or ended with a newer request or a new password.';
const TAKEN = 'This address has an account in the meantime, so it can’t be used.';

/**
 * Follows the link of an email once: confirms a change of the address, prevents or undoes it.
 * @throws Refusal when the link is no longer valid, or another account has the address
 */
export async function followAddressLink(token: string): Promise<AddressLink> {
  const link = await findAddressLink(token);
  if (!link) throw new Refusal('not_found', NOT_VALID);
  try {
    await inTransaction(async (tx) => {
      // One link or request at a time: an undo also ends later changes, whose links may be used at the same moment.
      await tx.$queryRaw`
        select from users where id in (
          select user_id from address_changes where confirm_hash = ${digest(token)} or refuse_hash = ${digest(token)}
        ) for update`;
      await (link.kind === 'confirm' ? confirm(tx, token) : refuse(tx, token, link.kind));
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('forbidden', TAKEN);
    throw error;
  }
  // The limit relies on a working link in the mailbox. `setEmail` ended them, and requests from before sent none.
  if (link.kind !== 'refuse')
    await resetLimit('reset_mail', accountKey(link.kind === 'confirm' ? link.newEmail : link.oldEmail));
  return link;
}

type Used = { userId: string; oldEmail: string; newEmail: string; createdAt: Date };

async function confirm(tx: Tx, token: string): Promise<void> {
  const [used] = await tx.$queryRaw<Used[]>`
    update address_changes set confirmed_at = now()
    where confirm_hash = ${digest(token)} and confirmed_at is null and ended_at is null and expires_at > now()
    returning user_id as "userId", old_email as "oldEmail", new_email as "newEmail", created_at as "createdAt"`;
  if (!used) throw new Refusal('not_found', NOT_VALID);
  await refuseLeavingSignOn(tx, { userId: used.userId, email: used.newEmail });
  await setEmail(tx, { id: used.userId, email: used.oldEmail }, used.newEmail);
  await record(tx, used.userId, 'address_changed', { from: used.oldEmail, to: used.newEmail });
}

/**
 * Prevents a change, or undoes it together with all later ones: the old address gets the account back from whichever address has it
 * now. The author of a change that is undone knew the password, so it is removed, with all sessions, and with a second factor and
 * passkeys that were added since, so that only the old address can choose a new password.
 */
async function refuse(tx: Tx, token: string, kind: 'refuse' | 'undo'): Promise<void> {
  const [used] = await tx.$queryRaw<Used[]>`
    update address_changes set ended_at = now()
    where refuse_hash = ${digest(token)} and ended_at is null and (confirmed_at is not null) = ${kind === 'undo'}::boolean
      and created_at > now() - make_interval(days => ${UNDO_DAYS})
    returning user_id as "userId", old_email as "oldEmail", new_email as "newEmail", created_at as "createdAt"`;
  if (!used) throw new Refusal('not_found', NOT_VALID);
  const { userId, oldEmail, newEmail, createdAt } = used;
  if (kind === 'undo') {
    await setEmail(tx, { id: userId }, oldEmail);
    await tx.addressChange.updateMany({
      where: { userId, endedAt: null, createdAt: { gte: createdAt } },
      data: { endedAt: new Date() },
    });
    await tx.account.updateMany({ where: { userId, providerId: 'credential' }, data: { password: null } });
    await tx.secondFactor.deleteMany({ where: { userId, enabledAt: { gt: createdAt } } });
    await tx.passkey.deleteMany({ where: { userId, createdAt: { gt: createdAt } } });
    await tx.session.deleteMany({ where: { userId } });
  }
  await record(tx, userId, 'address_change_refused', { to: newEmail });
}

/** Changes the address of an account, and invalidates links for a new password that were sent to the other one. */
async function setEmail(tx: Tx, user: { id: string; email?: string }, email: string): Promise<void> {
  const { count } = await tx.user.updateMany({ where: { ...user, deletedAt: null }, data: { email } });
  if (count === 0) throw new Refusal('not_found', NOT_VALID);
  await tx.verification.deleteMany({ where: { value: user.id } });
}

function record(tx: Tx, userId: string, kind: SignInAuditKind, data: Record<string, string>): Promise<void> {
  const isByTeammate = kind === 'address_change_requested';
  return addSignInEntries(tx, { id: uuidv7(), userId, kind, isByTeammate, data });
}

/** Removes changes that no link can undo any more, with their addresses. Returns their number. */
export function removeOldAddressChanges(): Promise<number> {
  return removeInBatches(`
    delete from address_changes where id in (
      select id from address_changes where created_at < now() - make_interval(days => ${UNDO_DAYS})
      order by created_at limit ${BATCH_ROWS} for update skip locked
    )`);
}
