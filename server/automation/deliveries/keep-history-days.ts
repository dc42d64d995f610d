import { setTimeout as sleep } from 'node:timers/promises';
import { pool } from '#server/core/database/pools.ts';
import { log } from '#server/core/log.ts';

/** Partitions are made for so many days ahead: so long no worker need run. */
const DAYS_AHEAD = 3;
/** The partitioned tables; deliveries go first, as what is kept of them keeps its event and attempts. */
const TABLES = ['deliveries', 'attempts', 'events'] as const;

/** Days that are to be made, and partitions of days that ended so many days ago, all in UTC. */
const STATEMENT = `
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

/**
 * PostgreSQL's code for a lock that was not had in time; how often it is asked for, and the pause between, in
 * milliseconds.
 */
const LOCK_NOT_HAD = '55P03';
const TRIES = 10;
const PAUSE_MS = 250;

/**
 * Makes the partitions of the days ahead, and drops those of days that ended more than so many days ago, each whole.
 * What is still to be sent is kept. A table that others are using for long is left for the next run.
 */
export async function keepHistoryDays(days: number): Promise<void> {
  const { rows } = await pool().query<Step>(STATEMENT, [days, TABLES]);
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

/** Asks for the locks briefly and several times: what comes after a waiting statement waits as well. */
async function change({ act, parent, day }: Step, days: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (act === 'add') await pool().query('select add_history_day($1, $2::date)', [parent, day]);
      else {
        const kept = 'now() - make_interval(days => $3::int)';
        await pool().query(`select drop_history_day($1, $2::date, ${kept})`, [parent, day, days]);
      }
      return;
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_HAD;
      if (!isLocked || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
