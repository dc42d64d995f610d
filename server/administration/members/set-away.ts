import { findMember } from '#server/administration/members/role-rules.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isTimeZone } from '#server/core/business-hours.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { isDay } from '#server/core/day.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { inLockedWorkspace, ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const AWAY_MAX_DAYS = 366;

/** `backOn`: the first day on which the teammate works again, as `YYYY-MM-DD` in a time zone. Null: not known yet. */
export type Absence = { backOn: string | null; timeZone: string };

/**
 * Sets a teammate away, or back (null). Everyone can do this for themselves, owners and admins for all. Conversations stay assigned.
 * @throws Refusal when `by` may not, there is no such member, or the day is not in the next year
 */
export async function setAway(change: {
  workspaceId: string;
  userId: string;
  absence: Absence | null;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, userId, absence, by } = change;
  await inLockedWorkspace({ workspaceId, by }, async (tx, role) => {
    const mayChange = role !== undefined && (userId === by.id || isAdmin(role));
    if (!mayChange) throw new Refusal('forbidden', ONLY_MANAGERS);
    const { teammate } = await findMember(tx, { workspaceId, userId });
    const awayUntil = absence?.backOn ? await startOfDay(tx, absence.backOn, absence.timeZone) : null;
    const awaySince = absence ? new Date() : null;
    await tx.member.update({
      where: { workspaceId_userId: { workspaceId, userId } },
      data: { awaySince, awayUntil },
      select: { userId: true },
    });
    const data = { teammateId: userId, teammateName: teammate.name };
    await addAuditEntry(tx, { workspaceId, kind: absence ? 'teammate_away' : 'teammate_back', by, data });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** @throws Refusal for a day that is not in the next year, or an unknown time zone */
async function startOfDay(tx: Tx, day: string, timeZone: string): Promise<Date> {
  const at = isDay(day) ? await readStart(tx, day, isTimeZone(timeZone) ? timeZone : 'UTC') : undefined;
  const inDays = at === undefined ? -1 : (at.getTime() - Date.now()) / 86_400_000;
  if (at === undefined || inDays <= 0 || inDays > AWAY_MAX_DAYS)
    throw invalid({ backOn: ['Choose a day after today, within the next year.'] });
  return at;
}

async function readStart(tx: Tx, day: string, timeZone: string): Promise<Date | undefined> {
  // The database may not have the time zone of a new browser.
  const [found] = await tx.$queryRaw<{ at: Date }[]>`
    select ${day}::timestamp at time zone coalesce((
      select name from pg_timezone_names where name = ${timeZone}), 'UTC') as at`;
  return found?.at;
}
