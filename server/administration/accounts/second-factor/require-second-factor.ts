import { forgetAttempts } from '#server/administration/accounts/second-factor/check-code.ts';
import { queueMail, removeSecondFactors } from '#server/administration/accounts/second-factor/set-up.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { HAS_SECOND_FACTOR } from '#server/teammates/has-second-factor.ts';
import { asOwner } from '#server/teammates/require-role.ts';

const OWN_FIRST =
  'Turn on two-factor authentication for your own account first, so that you can’t lock yourself out.';
const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS_MAX = 365;

/**
 * Requires a second factor of everyone in a workspace from the start of a day, or of no one. From then on, the workspace is closed to
 * teammates without one (`findSignedIn`).
 * @param change.from day in UTC, such as 2026-12-24. Null ends the requirement
 * @throws Refusal unless `by` is an owner with a second factor, and the day is today or later
 */
export async function requireSecondFactor(change: {
  workspaceId: string;
  from: string | null;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, by } = change;
  const from = change.from === null ? null : parseDay(change.from);
  await asOwner(change, async (tx) => {
    if (from && !(await tx.user.count({ where: { id: by.id, ...HAS_SECOND_FACTOR } })))
      throw new Refusal('forbidden', OWN_FIRST);
    await tx.workspace.update({
      where: { id: workspaceId },
      data: { secondFactorFrom: from },
      select: { id: true },
    });
    await addAuditEntry(tx, {
      workspaceId,
      by,
      ...(from
        ? { kind: 'second_factor_required', data: { from: from.toISOString().slice(0, 10) } }
        : { kind: 'second_factor_not_required' }),
    });
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
}

function parseDay(day: string): Date {
  const from = new Date(/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : Number.NaN);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  if (!(from.getTime() >= today && from.getTime() <= today + DAYS_MAX * DAY_MS))
    throw invalid({ from: ['Choose a day from today to a year from now.'] });
  return from;
}

const ELSEWHERE =
  'This teammate is also in a workspace that you don’t own, which their second factor protects too. They can use a recovery code.';
const NOT_OPEN =
  'This teammate is also in a workspace that this session does not open. Sign in to that one too, then try again.';

/**
 * Removes app, passkeys and recovery codes of a teammate who has lost them, and ends their sessions. The teammate is told by email. Because an account
 * has one second factor for all workspaces, only someone who owns all of them may reset it.
 * @param change.openIds the workspaces that the session of `by` may open: a session from an identity provider counts only where that
 *   provider is trusted
 * @throws Refusal unless `by` is an owner of each workspace of the teammate, and the session opens each
 */
export async function resetSecondFactor(change: {
  workspaceId: string;
  userId: string;
  by: Teammate;
  openIds: string[];
}): Promise<void> {
  const { workspaceId, userId, by, openIds } = change;
  if (userId === by.id)
    throw new Refusal('forbidden', 'Turn off your own second factor in Settings, Account.');
  await asOwner(change, async (tx) => {
    const memberships = await tx.member.findMany({
      where: { userId, workspace: { deletedAt: null, testOfId: null } },
      select: {
        workspaceId: true,
        user: { select: { name: true } },
        workspace: { select: { members: { where: { userId: by.id }, select: { role: true } } } },
      },
    });
    const here = memberships.find((membership) => membership.workspaceId === workspaceId);
    if (!here) throw notFound('The teammate');
    if (memberships.some(({ workspace }) => workspace.members[0]?.role !== 'owner'))
      throw new Refusal('forbidden', ELSEWHERE);
    if (!memberships.every((membership) => openIds.includes(membership.workspaceId)))
      throw new Refusal('forbidden', NOT_OPEN);
    if (!(await removeSecondFactors(tx, userId)))
      throw new Refusal('forbidden', `${here.user.name} has no second factor.`);
    await tx.session.deleteMany({ where: { userId } });
    await queueMail(tx, userId, 'reset', { byName: by.name });
    for (const membership of memberships) {
      await addAuditEntry(tx, {
        workspaceId: membership.workspaceId,
        kind: 'second_factor_reset',
        by,
        data: { teammateName: here.user.name },
      });
    }
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
  // Else their wrong codes would keep them from setting up a new factor, until tomorrow.
  await forgetAttempts(userId);
}

/** Returns which of these teammates have a second factor. */
export async function findWithSecondFactor(userIds: string[]): Promise<Set<string>> {
  const rows = await db().user.findMany({
    where: { id: { in: userIds }, ...HAS_SECOND_FACTOR },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}
