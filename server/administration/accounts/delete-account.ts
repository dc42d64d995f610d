import { checkPassword } from '#server/administration/accounts/change-password.ts';
import { BATCH, changeInBatches } from '#server/administration/members/change-in-batches.ts';
import { removeMemberRows, unassignInBatches } from '#server/administration/members/remove-member.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { log } from '#server/core/log.ts';
import { convertUnsentReplies } from '#server/inbox/messages/cancel-reply.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/** The timeline shows that the conversations were unassigned automatically. */
const actor: Actor = { kind: 'automatic' };

/** Maximum number of attempts. An attempt restarts when the account joined a workspace in the meantime. */
const ATTEMPTS = 5;

/**
 * Deletes a teammate's account in one transaction: removes it from every workspace, ends its connections and
 * sessions, and frees its email address. Messages and notes keep the teammate's name. A job removes the
 * remaining references, because there can be many.
 * @throws Refusal when the password is wrong, or the teammate is the last owner of a workspace
 */
export async function deleteAccount(input: {
  user: Teammate;
  sessionId: string;
  password: string;
}): Promise<void> {
  const { user } = input;
  await checkPassword(input);
  await inTransaction((tx) => refuseLastOwnerships(tx, user.id));
  for (const workspaceId of await workspacesOf(db(), user.id)) {
    await unassignInBatches({ workspaceId, assignee: user, actor });
  }
  for (let attempt = 1; !(await inTransaction((tx) => tryToDelete(tx, user))); attempt += 1) {
    if (attempt === ATTEMPTS) throw new Error('The account joins workspaces faster than it leaves them.');
  }
  log().info({ userId: user.id }, 'account.deleted');
}

/** Returns false, without a change, when the account has joined a workspace since the workspaces were locked. */
async function tryToDelete(tx: Tx, user: Teammate): Promise<boolean> {
  const locked = await workspacesOf(tx, user.id);
  for (const workspaceId of locked) await lockWorkspace(tx, workspaceId);
  // Lock order: workspaces before the user, as in accepting an invitation. From here on nothing new can refer
  // to the account.
  const found = await tx.$queryRaw<unknown[]>`
    select from users where id = ${user.id}::uuid and deleted_at is null for update`;
  if (found.length === 0) throw notFound('The account');
  const memberships = await workspacesOf(tx, user.id);
  if (memberships.some((id) => !locked.includes(id))) return false;
  await refuseLastOwnerships(tx, user.id);

  for (const workspaceId of memberships) {
    await removeMemberRows(tx, { workspaceId, teammate: user, reason: 'teammate_deleted', actor });
    const data = { teammateId: user.id, teammateName: user.name };
    await addAuditEntry(tx, { workspaceId, kind: 'teammate_deleted', by: user, data });
  }
  await convertUnsentReplies(tx, user);
  // Before the sessions: a sign-in with a passkey that waits for this transaction creates none.
  await tx.passkey.deleteMany({ where: { userId: user.id } });
  await tx.session.deleteMany({ where: { userId: user.id } });
  await tx.account.deleteMany({ where: { userId: user.id } });
  await tx.secondFactor.deleteMany({ where: { userId: user.id } });
  await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
  await tx.addressChange.deleteMany({ where: { userId: user.id } });
  await tx.signOnIdentity.deleteMany({ where: { userId: user.id } });
  await tx.verification.deleteMany({ where: { value: user.id } });
  await tx.user.update({
    where: { id: user.id },
    data: {
      deletedAt: new Date(),
      email: `${user.id}@deleted.invalid`,
      emailVerified: false,
      lastWorkspaceId: null,
    },
    select: { id: true },
  });
  await queueJob(tx, 'remove-account', { userId: user.id });
  return true;
}

/** Returns the workspace ids in lock order. */
async function workspacesOf(db: Pick<Tx, 'member'>, userId: string): Promise<string[]> {
  const members = await db.member.findMany({
    where: { userId },
    select: { workspaceId: true },
    orderBy: { workspaceId: 'asc' },
  });
  return members.map(({ workspaceId }) => workspaceId);
}

/** @throws Refusal that names the workspaces that would have no owner left */
async function refuseLastOwnerships(tx: Tx, userId: string): Promise<void> {
  const names = await lastOwnedBy(tx, userId);
  if (names.length === 0) return;
  const which = new Intl.ListFormat('en').format(names);
  throw invalid({
    account: [
      `You are the last owner of ${which}. Make someone else an owner there or delete the workspace, then delete your account.`,
    ],
  });
}

/** Returns the names of the workspaces whose only owner is this user. A test workspace has the owners of its workspace. */
export async function lastOwnedBy(db: Pick<Tx, '$queryRaw'>, userId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    select w.name from members m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId}::uuid and m.role = 'owner' and w.deleted_at is null and w.test_of_id is null and not exists (
      select from members other
      where other.workspace_id = m.workspace_id and other.role = 'owner' and other.user_id <> m.user_id)
    order by w.name, w.id`;
  return rows.map(({ name }) => name);
}

/**
 * References to an account that can be numerous. Foreign keys remove the rest with the user's row. The rows
 * keep the author's name.
 */
const STATEMENTS = [
  ...[
    ['messages', 'author_id'],
    ['notes', 'author_id'],
    ['command_runs', 'operator_id'],
  ].map(
    ([table, column]) => `
      update ${table} set ${column} = null
      where id in (select id from ${table} where ${column} = $1 limit ${BATCH})`,
  ),
  `delete from note_mentions where (note_id, user_id) in (
     select note_id, user_id from note_mentions where user_id = $1 limit ${BATCH})`,
];

/**
 * Removes the rest of a deleted account, its own row last. Continues in another job after the time limit, and
 * can run again at any time. Leaves an account that was not deleted unchanged.
 */
export async function removeAccount(userId: string): Promise<void> {
  const where = { id: userId, deletedAt: { not: null } };
  if ((await db().user.count({ where })) === 0) return;
  if (await changeInBatches(STATEMENTS, userId)) await db().user.deleteMany({ where });
  else await inTransaction((tx) => queueJob(tx, 'remove-account', { userId }));
}
