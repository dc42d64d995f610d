import { SLOW_MINUTES } from '#server/automation/deliveries/hook-limits.ts';
import { deliveryPool } from '#server/core/database/db.ts';

// A row of `drains` is the job of a hook that has deliveries to send. What adds deliveries counts `wakes` up in the
// same transaction; the drainer gives the hook back only at the number it read at, so that nothing is overlooked.

/** A hook that this worker drains now. `slow`: it ran out of time lately. */
export type ClaimedHook = { hookId: string; slow: boolean };

/** SQL: no one who is alive drains the hook of `k`. */
const IS_FREE =
  '(k.drained_by is null or not exists (select from worker_leases l where l.pool_id = k.drained_by))';

/** SQL: the hook `h` ran out of time lately. */
export const IS_SLOW = `coalesce(h.timed_out_at > now() - interval '${SLOW_MINUTES} minutes', false)`;

/** SQL: this worker drains the hook of `k` and knows nothing of it: the response to its claim was lost. */
const IS_FORGOTTEN = '(k.drained_by = $1 and k.hook_id <> all ($4::uuid[]))';

const due = (slow: string, limit: string) => `
  select k.hook_id from drains k join hooks h on h.id = k.hook_id
  where k.due_at <= clock_timestamp() and (${IS_FREE} or ${IS_FORGOTTEN}) and ${slow}
  order by k.due_at limit ${limit}
  for update of k skip locked`;

const CLAIM = {
  name: 'claim-hooks',
  text: `
    with fast as (${due(`not ${IS_SLOW}`, '$2')}), slow as (${due(IS_SLOW, '$3')}),
    chosen as (select hook_id, false as slow from fast union all select hook_id, true from slow)
    update drains k set drained_by = $1
    from chosen c
    where k.hook_id = c.hook_id and exists (select from worker_leases where pool_id = $1)
    returning k.hook_id as "hookId", c.slow`,
};

/**
 * Claims the hooks that are due longest and that no one drains, so many of the fast and of the slow ones.
 * @param drained the hooks that the worker knows it drains: others under its name are claimed once more
 */
export async function claimHooks(
  drainerId: string,
  { fast, slow }: { fast: number; slow: number },
  drained: string[] = [],
): Promise<ClaimedHook[]> {
  const values = [drainerId, fast, slow, drained];
  const { rows } = await deliveryPool().query<ClaimedHook>({ ...CLAIM, values });
  return rows;
}

/** The number of wakes is judged again when the row's lock is had: a fan-out may just have counted it up. */
const RELEASE = {
  name: 'release-hooks',
  text: `
    with given as (
      select k.hook_id
      from drains k join unnest($2::uuid[], $3::int[]) as g (hook_id, wakes) on g.hook_id = k.hook_id
      where k.drained_by = $1 and k.wakes = g.wakes
      order by k.hook_id
      for update of k
    ), standing as (
      select hook_id, (
        select min(d.next_attempt_at) from deliveries d where d.hook_id = g.hook_id and d.ended_at is null
      ) as due_at
      from given g
    ), done as (
      delete from drains k using standing s where k.hook_id = s.hook_id and s.due_at is null
    ), kept as (
      update drains k set drained_by = null, due_at = s.due_at
      from standing s where k.hook_id = s.hook_id and s.due_at is not null
    )
    select hook_id as "hookId", extract(epoch from due_at - clock_timestamp())::float8 * 1000 as "dueInMs"
    from standing`,
};

/** A hook that was given back, and in how many milliseconds it is due again; null when nothing is left to send. */
export type ReleasedHook = { hookId: string; dueInMs: number | null };

/**
 * Gives hooks back, each until its earliest retry. One that has got more deliveries since it was read stays claimed.
 */
export async function releaseHooks(
  drainerId: string,
  hooks: { hookId: string; wakes: number }[],
): Promise<ReleasedHook[]> {
  const values = [drainerId, hooks.map(({ hookId }) => hookId), hooks.map(({ wakes }) => wakes)];
  const { rows } = await deliveryPool().query<ReleasedHook>({ ...RELEASE, values });
  return rows;
}
