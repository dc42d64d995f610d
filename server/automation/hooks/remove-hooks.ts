import { validate as isUuid } from 'uuid';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { wakeForHooks } from '#server/core/jobs/wake-workers.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { HookRemoval } from '#server/generated/prisma/enums.ts';

/**
 * Number of consecutive deliveries that end undelivered after an error status before their hook is removed
 * (docs/spec.md §3).
 */
export const CONSECUTIVE_ERRORS_MAX = 50;

type Which =
  /** `isPlatforms`: not if it is a webhook endpoint, which has no connection. */
  { workspaceId: string; id: string; isPlatforms?: true } | { connectionId: string };

/**
 * Removes live hooks in one round trip. Each hook stays as a record with the reason, and its worker cancels
 * undelivered events. Does nothing for removed hooks.
 * @returns the number of removed hooks
 */
export async function removeHooks(db: SqlDb, which: Which, reason: HookRemoval): Promise<number> {
  const meant =
    'id' in which
      ? Prisma.sql`id = ${which.id}::uuid and workspace_id = ${which.workspaceId}::uuid
          ${which.isPlatforms ? Prisma.sql`and connection_id is not null` : Prisma.empty}`
      : Prisma.sql`connection_id = ${which.connectionId}::uuid`;
  const [row] = await db.$queryRaw<{ removed: number; workspace_id: string | null; had_command: boolean }[]>`
    with meant as (
      select id from hooks where ${meant} and removed_at is null order by id for no key update
    ), removed as (
      update hooks set removed_at = now(), removal_reason = ${reason}::hook_removal
      where id in (select id from meant)
      returning id, workspace_id, event
    ), woken as (
      insert into hook_queue (hook_id, due_at) select id, now() from removed order by id
      on conflict (hook_id) do update set wakes = hook_queue.wakes + 1,
        due_at = least(hook_queue.due_at, excluded.due_at)
    )
    select (select count(*) from removed)::int as removed,
      (select workspace_id from removed limit 1) as workspace_id,
      exists (select from removed where event = 'operator.command') as had_command`;
  if (!row?.workspace_id) return 0;
  const { workspace_id: workspaceId, had_command: hadCommand } = row;
  afterCommit(db, wakeForHooks);
  afterCommit(db, () => {
    publish(workspaceId, 'deliveries');
    if (hadCommand) publish(workspaceId, 'commands');
  });
  return row.removed;
}

/**
 * Unsubscribes a hook of the workspace, regardless of the connection that created it. Idempotent: returns the
 * same for a removed hook, a hook of another workspace, a webhook endpoint and an invalid id (docs/spec.md §4.2,
 * DELETE /hooks/{id}).
 */
export async function unsubscribeHook(which: {
  workspaceId: string;
  id: string;
}): Promise<{ id: string; deleted: true }> {
  if (isUuid(which.id)) await removeHooks(db(), { ...which, isPlatforms: true }, 'unsubscribed');
  return { id: which.id, deleted: true };
}
