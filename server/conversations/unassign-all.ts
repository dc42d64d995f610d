import type { TimelineContent } from '#server/conversations/timeline-content.ts';
import { afterCommit, type Tx } from '#server/db.ts';
import { announce } from '#server/live/announce.ts';
import { type Actor, actorColumns, type Teammate } from '#server/teammates/actor.ts';

/**
 * Takes conversations from a teammate who leaves their workspace or becomes a viewer, whatever their status: a
 * conversation's assignee is a member who can answer in it. The timeline says so, but for merged conversations, which nobody opens any more. Emits nothing, as
 * unassigning never does (spec.md §6). One statement, as it may be many; in the order of their ids, as wherever several
 * are locked.
 * @param limit at most so many; without it all of them, and then the caller holds the membership's lock
 * @returns how many
 */
export async function unassignAll(
  tx: Tx,
  given: {
    workspaceId: string;
    assignee: Teammate;
    actor: Actor;
    now: Date;
    limit?: number;
  },
): Promise<number> {
  const { workspaceId, assignee, actor, now, limit = null } = given;
  const entry = { kind: 'unassigned', data: { assigneeName: assignee.name } } satisfies TimelineContent;
  const { actorKind, actorId, actorName, connectionId } = actorColumns(actor);
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    with taken as materialized (
      select id, merged_into_id is null as is_shown from conversations
      where workspace_id = ${workspaceId}::uuid and assignee_id = ${assignee.id}::uuid
      order by id
      limit ${limit}::int
      for no key update
    ), unassigned as (
      update conversations c set assignee_id = null, assigned_at = null, updated_at = ${now}
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
  if (count > 0) afterCommit(tx, () => announce(workspaceId, 'conversations'));
  return count;
}
