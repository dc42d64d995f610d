import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { TimelineContent } from '#server/inbox/conversations/timeline.ts';
import { type Actor, actorColumns } from '#server/teammates/actor.ts';

/**
 * Takes conversations from a teammate who leaves their workspace or becomes a viewer: a conversation's assignee is a
 * member who can answer in it.
 * @param limit at most so many; without it all of them, and then the caller holds the membership's lock
 * @returns how many
 */
export function unassignAll(
  tx: Tx,
  given: { workspaceId: string; assignee: Teammate; actor: Actor; now: Date; limit?: number },
): Promise<number> {
  const { assignee, limit = null, ...rest } = given;
  return changeMany(tx, {
    ...rest,
    whose: Prisma.sql`assignee_id = ${assignee.id}::uuid`,
    emptied: ['assignee_id', 'assigned_at'],
    entry: { kind: 'unassigned', data: { assigneeName: assignee.name } },
    limit,
  });
}

/**
 * Takes an assignee or a team from many conversations, whatever their status. The timeline says so, but for merged
 * conversations, which no one opens any more. Emits nothing, as neither has an event (spec.md §6). One statement; the
 * conversations are locked in the order of their ids, as wherever several are.
 * @param whose the condition that they are chosen by; `emptied`: the columns that become null, which it asks for
 * @param limit at most so many; null: all of them
 * @returns how many
 */
async function changeMany(
  tx: Tx,
  given: {
    workspaceId: string;
    whose: Prisma.Sql;
    emptied: readonly ('assignee_id' | 'assigned_at' | 'team_id')[];
    entry: TimelineContent;
    actor: Actor;
    now: Date;
    limit: number | null;
  },
): Promise<number> {
  const { workspaceId, whose, emptied, entry, actor, now, limit } = given;
  const { actorKind, actorId, actorName, connectionId } = actorColumns(actor);
  const empty = Prisma.raw(emptied.map((column) => `${column} = null`).join(', '));
  const isOne = Prisma.sql`workspace_id = ${workspaceId}::uuid and ${whose}`;
  // Chosen in whatever order is at hand, so that of very many each batch reads only its own.
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    with taken as materialized (
      select id, merged_into_id is null as is_shown from conversations
      where id in (select id from conversations where ${isOne} limit ${limit}::int) and ${isOne}
      order by id
      for no key update
    ), changed as (
      update conversations c set ${empty}, updated_at = ${now}
      from taken where c.id = taken.id
    ), noted as (
      insert into timeline_entries
        (id, workspace_id, conversation_id, kind, actor_kind, actor_id, actor_name, connection_id, data, created_at)
      select gen_random_uuid(), ${workspaceId}::uuid, id, ${entry.kind}, ${actorKind}::actor_kind, ${actorId}::uuid,
        ${actorName}, ${connectionId}::uuid, ${JSON.stringify(entry.data)}::jsonb, ${now}
      from taken where is_shown
    )
    select count(*)::int as count from taken`;
  const count = row?.count ?? 0;
  if (count > 0) afterCommit(tx, () => publish(workspaceId, 'conversations'));
  return count;
}

/**
 * Takes conversations out of a team that is being deleted.
 * @returns how many
 */
export function takeFromTeam(
  tx: Tx,
  given: { workspaceId: string; team: { id: string; name: string }; actor: Actor; now: Date; limit: number },
): Promise<number> {
  const { team, ...rest } = given;
  return changeMany(tx, {
    ...rest,
    whose: Prisma.sql`team_id = ${team.id}::uuid`,
    emptied: ['team_id'],
    entry: { kind: 'team_removed', data: { teamName: team.name } },
  });
}
