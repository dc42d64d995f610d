import { pool } from '#server/db.ts';
import { DELIVER_TASK } from '#server/deliveries/pace.ts';
import { log } from '#server/log.ts';

/** A delivery this long overdue whose job is gone gets another one, in minutes. */
const OVERDUE_MINUTES = 15;

/**
 * Gives deliveries that lost their job another one: a net under the queue, whose jobs somebody may have deleted. Looks at
 * nothing but what is overdue, and at the queue only if something is.
 * @returns how many there were
 */
export async function requeueLostDeliveries(): Promise<number> {
  const { rows } = await pool().query<{ requeued: number }>(`
    with overdue as materialized (
      select d.id, d.attempts, d.stage, ${DELIVER_TASK} as task
      from deliveries d join hooks h on h.id = d.hook_id
      where d.ended_at is null and d.stage <> 'waiting'
        and d.next_attempt_at < now() - interval '${OVERDUE_MINUTES} minutes'
      order by d.next_attempt_at
      limit 1000
    ), lost as (
      select * from overdue
      where exists (select from overdue) and id::text not in (
        select payload->>'deliveryId' from graphile_worker._private_jobs where payload->>'deliveryId' is not null)
    ), requeued as (
      select (graphile_worker.add_job(task, json_build_object(
        'deliveryId', id, 'attempt', attempts + 1, 'handedOn', stage = 'handed_on'))).id
      from lost
    )
    select count(*)::int as requeued from requeued`);
  const requeued = rows[0]?.requeued ?? 0;
  if (requeued > 0) log().error({ requeued }, 'deliveries.had_lost_their_jobs');
  return requeued;
}
