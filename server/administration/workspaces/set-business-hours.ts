import { lockTeam } from '#server/administration/teams/change-team.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { type BusinessHours, normalizeHours } from '#server/core/business-hours.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { queueRecount } from '#server/inbox/conversations/recount-clocks.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/**
 * Sets the business hours of a workspace or of one of its teams. Null: always open, or for a team the hours of the workspace. A job then
 * moves the due times of running SLA clocks.
 * @throws Refusal when `by` is neither owner nor admin, there is no such team, or the hours are invalid
 */
export async function setBusinessHours(change: {
  workspaceId: string;
  teamId: string | null;
  hours: BusinessHours | null;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, teamId, by } = change;
  const hours = parseHours(change.hours);
  const data = { businessHours: hours ?? Prisma.DbNull };
  await asManager({ workspaceId, by }, async (tx) => {
    if (hours) await requireKnownZone(tx, hours.timeZone);
    if (teamId === null) {
      await tx.workspace.update({ where: { id: workspaceId }, data, select: { id: true } });
      await addAuditEntry(tx, { workspaceId, kind: hours ? 'hours_set' : 'hours_removed', by });
    } else {
      const { name: teamName } = await lockTeam(tx, { workspaceId, id: teamId });
      await tx.team.update({ where: { id: teamId }, data, select: { id: true } });
      const entry = { workspaceId, by, data: { teamId, teamName } };
      await addAuditEntry(tx, { kind: hours ? 'team_hours_set' : 'team_hours_removed', ...entry });
    }
    await queueRecount(tx, workspaceId);
  });
}

function parseHours(hours: BusinessHours | null) {
  if (hours === null) return null;
  const parsed = normalizeHours(hours);
  if ('errors' in parsed) throw invalid(parsed.errors);
  return parsed.hours;
}

/** The database calculates with the hours, and has its own list of time zones. @throws Refusal */
async function requireKnownZone(tx: Tx, name: string): Promise<void> {
  const [zone] = await tx.$queryRaw<unknown[]>`select from pg_timezone_names where name = ${name}`;
  if (!zone) throw invalid({ timeZone: ['Choose a time zone from the list.'] });
}
