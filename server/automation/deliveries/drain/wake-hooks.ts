import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { wakeWorkers } from '#server/core/jobs/wake-workers.ts';

/**
 * Has the deliveries of these hooks looked at, in the transaction that made them due. The hooks' rows are locked or
 * no one's but the caller's; theirs in `drains` are locked last, in one order, as everywhere.
 */
export async function wakeHooks(tx: Tx, hookIds: string[]): Promise<void> {
  await tx.$executeRaw`
    insert into drains (hook_id, due_at)
    select id, clock_timestamp() from unnest(${hookIds}::uuid[]) as id order by id
    on conflict (hook_id) do update set wakes = drains.wakes + 1, due_at = least(drains.due_at, excluded.due_at)`;
  afterCommit(tx, wakeWorkers);
}
