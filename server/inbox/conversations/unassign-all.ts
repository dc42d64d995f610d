import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { recordForMany } from '#server/inbox/conversations/record-for-many.ts';
import { requestParts } from '#server/inbox/conversations/request-assignment.ts';
import { type TimelineContent, timelineRowsOfMany } from '#server/inbox/conversations/timeline.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Unassigns the conversations of a teammate who leaves the workspace or becomes a viewer: an assignee must be a member
 * who can reply. Open ones of a team that assigns automatically wait for another assignee. Emits `conversation.unassigned` for programs.
 * @param limit maximum number of conversations; without it all, and the caller must hold the membership's row lock
 * @returns the number of unassigned conversations
 */
export async function unassignAll(
  tx: Tx,
  change: { workspaceId: string; assignee: Teammate; actor: Actor; now: Date; limit?: number },
): Promise<number> {
  const { assignee, limit = null, ...rest } = change;
  const ids = await changeMany(tx, {
    ...rest,
    condition: Prisma.sql`assignee_id = ${assignee.id}::uuid`,
    cleared: Prisma.sql`assignee_id = null, assigned_at = null`,
    entry: { kind: 'unassigned', data: { assigneeName: assignee.name } },
    limit,
    also: requestParts(Prisma.sql`
      select c.id, c.workspace_id, c.team_id from taken join conversations c on c.id = taken.id
      where c.status = 'open' and c.removal is null and c.merged_into_id is null and not c.is_test`),
  });
  await recordForMany(tx, {
    ...rest,
    ids,
    eventOf: (conversation) => ({
      key: 'conversation.unassigned',
      payload: { conversation, previous_assignee: assignee },
    }),
  });
  return ids.length;
}

/**
 * Sets columns of many conversations to null, whatever their status, in one statement. Adds a timeline entry to each
 * except merged ones, which are no longer shown. Emits no event. Locks the conversations in the order of their ids, to avoid deadlocks.
 * @param condition selects the conversations by the columns in `cleared`
 * @param limit maximum number of conversations; null for all
 * @param also further parts of the statement
 * @returns the ids of the changed conversations
 */
async function changeMany(
  tx: Tx,
  change: {
    workspaceId: string;
    condition: Prisma.Sql;
    cleared: Prisma.Sql;
    entry: TimelineContent;
    actor: Actor;
    now: Date;
    limit: number | null;
    also?: Record<string, Prisma.Sql>;
  },
): Promise<string[]> {
  const { workspaceId, condition, cleared, entry, actor, now, limit, also = {} } = change;
  const isSelected = Prisma.sql`workspace_id = ${workspaceId}::uuid and ${condition}`;
  // The inner select has no order, so each batch reads only its own rows even among very many.
  const changed = await tx.$queryRaw<{ id: string }[]>`
    with taken as materialized (
      select id, merged_into_id is null as is_shown from conversations
      where id in (select id from conversations where ${isSelected} limit ${limit}::int) and ${isSelected}
      order by id
      for no key update
    ), changed as (
      update conversations c set ${cleared}, updated_at = ${now}
      from taken where c.id = taken.id
    ), noted as (
      ${timelineRowsOfMany({ workspaceId, actor, entry, now }, Prisma.sql`taken where is_shown`)}
    )
    ${Prisma.join([Prisma.empty, ...Object.entries(also).map(([name, part]) => Prisma.sql`, ${Prisma.raw(name)} as (${part})`)], '')}
    select id from taken`;
  if (changed.length > 0) afterCommit(tx, () => publish(workspaceId, 'conversations'));
  return changed.map(({ id }) => id);
}

/**
 * Removes conversations from a team that is being deleted.
 * @returns the number of removed conversations
 */
export async function unassignFromTeam(
  tx: Tx,
  change: { workspaceId: string; team: { id: string; name: string }; actor: Actor; now: Date; limit: number },
): Promise<number> {
  const { team, ...rest } = change;
  const ids = await changeMany(tx, {
    ...rest,
    condition: Prisma.sql`team_id = ${team.id}::uuid`,
    cleared: Prisma.sql`team_id = null`,
    entry: { kind: 'team_removed', data: { teamName: team.name } },
  });
  return ids.length;
}
