import { setTimeout as sleep } from 'node:timers/promises';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { log } from '#server/core/log.ts';
import { codeOf } from '#server/core/user-error.ts';

/** Events in the default partitions whose deliveries ended long enough ago. */
const removeEvents = (days: number) => `
  delete from events where id in (
    select e.id from events_default e
    where e.created_at < now() - make_interval(days => ${days}) and not exists (
      select from deliveries d
      where d.event_id = e.id and (d.ended_at is null or d.ended_at >= now() - make_interval(days => ${days})))
    order by e.created_at
    limit ${BATCH_ROWS})`;

/** Removed hooks without deliveries, except endpoints, which can be enabled again. */
const removeHooks = (days: number) => `
  delete from hooks where id in (
    select h.id from hooks h
    where h.removed_at < now() - make_interval(days => ${days})
      and not exists (select from deliveries d where d.hook_id = h.id)
      and not exists (select from webhook_endpoints w where w.id = h.id)
    order by h.removed_at
    limit ${BATCH_ROWS})`;

/**
 * Removes history older than HISTORY_DAYS (docs/rulings.md 6). Drops events, deliveries and attempts by whole
 * days. Deletes retained rows individually once their deliveries ended that long ago, and removed hooks
 * without deliveries.
 * @returns the number of rows that were deleted individually
 */
export async function removeOldHistory(): Promise<number> {
  const days = settings().HISTORY_DAYS;
  await maintainPartitions(days);
  return (await removeInBatches(removeEvents(days))) + (await removeInBatches(removeHooks(days)));
}

/** Days for which partitions are created ahead, so that workers may be down that long. */
const DAYS_AHEAD = 3;
/**
 * Partitioned tables, in the order of removal. Deliveries come first: retained deliveries also retain their
 * events and attempts.
 */
const TABLES = ['deliveries', 'attempts', 'events'] as const;

/** Selects partitions to create, and partitions of days that ended `$1` days ago, in UTC. */
const DUE_STEPS = `
  select 'add' as act, t.parent, (today.day + ahead)::text as day
  from unnest($2::text[]) with ordinality as t (parent, place),
    (select (now() at time zone 'UTC')::date as day) today, generate_series(0, ${DAYS_AHEAD}) ahead
  where to_regclass(t.parent || '_' || to_char(today.day + ahead, 'YYYYMMDD')) is null
  union all
  (select 'drop', t.parent, to_date(right(c.relname, 8), 'YYYYMMDD')::text
  from unnest($2::text[]) with ordinality as t (parent, place)
  join pg_inherits i on i.inhparent = t.parent::regclass
  join pg_class c on c.oid = i.inhrelid
  where c.relname ~ '_[0-9]{8}$'
    and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - $1::int
  order by right(c.relname, 8), t.place)`;

type Step = { act: 'add' | 'drop'; parent: string; day: string };

/** PostgreSQL's error code for a lock timeout (`lock_not_available`). */
const LOCK_TIMEOUT = '55P03';
const TRIES = 10;
const PAUSE_MS = 250;

/**
 * Creates the partitions of the coming days, and drops those of days that ended more than `days` ago.
 * Undelivered deliveries are retained. A table that stays locked is left for the next run.
 */
async function maintainPartitions(days: number): Promise<void> {
  const { rows } = await pool().query<Step>(DUE_STEPS, [days, TABLES]);
  const left = new Set<string>();
  for (const { act, parent, day } of rows) {
    if (left.has(day)) continue;
    try {
      await change({ act, parent, day }, days);
      log().info({ table: parent, day }, act === 'add' ? 'history.day_added' : 'history.day_dropped');
    } catch (error) {
      left.add(day);
      log().warn({ err: error, table: parent, day }, 'history.day_left');
    }
  }
}

/** Requests the locks with a short timeout and retries: later statements queue behind a waiting one. */
async function change({ act, parent, day }: Step, days: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (act === 'add') await pool().query('select add_history_day($1, $2::date)', [parent, day]);
      else {
        const since = 'now() - make_interval(days => $3::int)';
        await pool().query(`select drop_history_day($1, $2::date, ${since})`, [parent, day, days]);
      }
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_TIMEOUT || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
