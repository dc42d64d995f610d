import { THROTTLED_SECONDS } from '#server/automation/deliveries/pace.ts';
import { deliveryPool } from '#server/core/database/pools.ts';

const SHARE_PACE = {
  name: 'share-pace',
  text: `
    with throttled as (
      select c.id
      from connections c
      where c.id in (select connection_id from hooks where id = any ($1::uuid[])) and (
        select count(*) from hooks h
        where h.connection_id = c.id and h.throttled_at > now() - interval '${THROTTLED_SECONDS} seconds') >= 2
      order by c.id
      for no key update
    )
    update connections c set paced_until = now() + interval '${THROTTLED_SECONDS} seconds'
    from throttled t where c.id = t.id`,
};

/**
 * Makes the hooks of a connection share one pace after two of them were throttled within a minute, for
 * workers that did not see both (docs/rulings.md 5.7). Call after the attempts are recorded, as a connection
 * is locked before its hooks.
 * @param hookIds hooks that just responded with 429
 */
export async function shareConnectionPace(hookIds: string[]): Promise<void> {
  await deliveryPool().query({ ...SHARE_PACE, values: [hookIds] });
}

const SAVE_STARTS = {
  name: 'save-next-starts',
  text: `
    with paced as (
      select h.id, p.rest_ms
      from hooks h join unnest($1::uuid[], $2::float8[]) as p (id, rest_ms) on p.id = h.id
      order by h.id
      for no key update of h
    )
    update hooks h set next_start_at = clock_timestamp() + make_interval(secs => p.rest_ms / 1000)
    from paced p where h.id = p.id`,
};

/** Saves the earliest next start of hooks, for the worker that serves them next. */
export async function saveNextStarts(hooks: { hookId: string; restMs: number }[]): Promise<void> {
  const values = [hooks.map(({ hookId }) => hookId), hooks.map(({ restMs }) => restMs)];
  await deliveryPool().query({ ...SAVE_STARTS, values });
}
