import { pool } from '#server/db.ts';
import { DELIVER_TASK, hookLimits, paceOf, START_AT, START_BY } from '#server/deliveries/pace.ts';

/** A look that missed one is repeated; each sees all that was there when it began, so a few are plenty. */
const LOOKS_MAX = 5;

/**
 * Gives the free slots of a hook to the deliveries that have waited longest, as many as its pace allows, and queues
 * their jobs. It reads a snapshot taken before it got the hook's lock: a delivery that began to wait in between is
 * counted on the hook but not seen, which `missed` tells.
 */
const STATEMENT = {
  name: 'hand-on',
  text: `
    with lane as (
      select h.id, $2::int - h.in_flight as free, h.waiting, h.next_start_at, h.in_flight, ${paceOf('$3')} as pace,
        ${DELIVER_TASK} as task
      from hooks h
      where h.id = $1 and h.removed_at is null and h.in_flight < $2::int and h.waiting > 0
      for no key update
    ), oldest as (
      select id, attempts, next_attempt_at
      from deliveries
      where hook_id = $1 and ended_at is null and stage = 'waiting'
      order by next_attempt_at, id
      limit (select free from lane)
      for update skip locked
    ), placed as (
      select id, attempts, row_number() over (order by next_attempt_at, id) - 1 as place from oldest
    ), timed as (
      select p.id, p.attempts, l.task, l.start_at + make_interval(secs => l.pace * p.place) as start_at
      from placed p, (select *, ${START_AT} as start_at from lane) l
      where l.in_flight + p.place = 0 or l.start_at + make_interval(secs => l.pace * p.place) <= ${START_BY}
    ), staged as (
      update deliveries d set stage = 'handed_on', next_attempt_at = t.start_at
      from timed t
      where d.id = t.id and d.stage = 'waiting'
      returning d.id, d.attempts, d.next_attempt_at, t.task
    ), counted as (
      update hooks h
      set in_flight = h.in_flight + s.taken, waiting = h.waiting - s.taken,
        next_start_at = case when lane.pace > 0 then s.last_start + make_interval(secs => lane.pace) end
      from lane, (select count(*)::int as taken, max(next_attempt_at) as last_start from staged) s
      where h.id = lane.id and s.taken > 0
    ), queued as (
      select (graphile_worker.add_job(
        task, json_build_object('deliveryId', id, 'attempt', attempts + 1, 'handedOn', true))).id
      from staged
    )
    select (select count(*) from queued)::int as handed,
      coalesce((select least(free, waiting) > (select count(*) from oldest) from lane), false) as missed`,
};

/**
 * Hands free slots of a hook on to the deliveries that wait for one. Called by whoever has freed a slot or made
 * deliveries wait, after that is committed: of two at once the later sees what both did.
 * @returns how many got a slot
 */
export async function handOn(hookId: string): Promise<number> {
  const { inFlight, perSecond } = hookLimits();
  let handed = 0;
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const { rows } = await pool().query<{ handed: number; missed: boolean }>({
      ...STATEMENT,
      values: [hookId, inFlight, perSecond],
    });
    handed += rows[0]?.handed ?? 0;
    if (!rows[0]?.missed) break;
  }
  return handed;
}

/** Does so for every hook whose deliveries wait although a slot is free: the net under a crash in between. */
export async function handOnEverywhere(): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `select h.id from hooks h
     where h.in_flight < $1 and h.removed_at is null
       and h.id in (select hook_id from deliveries where ended_at is null and stage = 'waiting')`,
    [hookLimits().inFlight],
  );
  for (const { id } of rows) await handOn(id);
}
