import { THROTTLED_SECONDS } from '#server/automation/deliveries/hook-limits.ts';
import { deliveryPool } from '#server/core/database/db.ts';

const STATEMENT = {
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
 * Lets the hooks of a connection share one pace once two of them were throttled within a minute, for workers that did
 * not see both (decisions: hooks, events, 7). After the attempts were recorded, as a connection is locked before its
 * hooks.
 * @param hookIds hooks that were just answered 429
 */
export async function shareConnectionPace(hookIds: string[]): Promise<void> {
  await deliveryPool().query({ ...STATEMENT, values: [hookIds] });
}

/** Keeps when hooks may start again, for the worker that drains them next. */
export async function saveNextStarts(hooks: { hookId: string; restMs: number }[]): Promise<void> {
  await deliveryPool().query({
    name: 'keep-paces',
    text: `
      with paced as (
        select h.id, p.rest_ms
        from hooks h join unnest($1::uuid[], $2::float8[]) as p (id, rest_ms) on p.id = h.id
        order by h.id
        for no key update of h
      )
      update hooks h set next_start_at = clock_timestamp() + make_interval(secs => p.rest_ms / 1000)
      from paced p where h.id = p.id`,
    values: [hooks.map(({ hookId }) => hookId), hooks.map(({ restMs }) => restMs)],
  });
}
