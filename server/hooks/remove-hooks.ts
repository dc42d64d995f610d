import { afterCommit, type Db } from '#server/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { HookRemoval } from '#server/generated/prisma/enums.ts';
import type { JobName } from '#server/jobs.ts';
import { announce } from '#server/live/announce.ts';
import { startMovingJobs } from '#server/queue-job.ts';

/**
 * Removes live hooks, keeping a record of each with the reason, and queues the end of what they have yet to get.
 * Removing a removed hook changes nothing. One round trip.
 * @returns how many were live
 */
export async function removeHooks(
  db: Db,
  which: { workspaceId: string; id: string } | { connectionId: string },
  reason: HookRemoval,
): Promise<number> {
  const meant =
    'id' in which
      ? Prisma.sql`id = ${which.id}::uuid and workspace_id = ${which.workspaceId}::uuid`
      : Prisma.sql`connection_id = ${which.connectionId}::uuid`;
  const [row] = await db.$queryRaw<{ removed: number; workspace_id: string | null; had_command: boolean }[]>`
    with removed as (
      update hooks set removed_at = now(), removal_reason = ${reason}::hook_removal
      where ${meant} and removed_at is null
      returning id, workspace_id, event
    ), noted as (
      select json_agg(id) as ids from removed
    ), queued as (
      insert into queued_jobs (task, payload)
      select ${'cancel-deliveries' satisfies JobName}, json_build_object('hookIds', ids)
      from noted where ids is not null
    )
    select (select count(*) from removed)::int as removed,
      (select workspace_id from removed limit 1) as workspace_id,
      exists (select from removed where event = 'operator.command') as had_command`;
  if (!row?.workspace_id) return 0;
  const { workspace_id: workspaceId, had_command: hadCommand } = row;
  afterCommit(db, startMovingJobs);
  afterCommit(db, () => {
    announce(workspaceId, 'deliveries');
    if (hadCommand) announce(workspaceId, 'commands');
  });
  return row.removed;
}
