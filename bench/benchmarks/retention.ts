import { compare } from '#bench/compare.ts';
import { machineMs } from '#bench/lab/clock.ts';
import { makeStage, type Stage, withEngine } from '#bench/lab/engine.ts';
import { measureHooks } from '#bench/lab/measure-hooks.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { removeOldHistory } from '#server/automation/deliveries/remove-old-history.ts';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 50;
const EVERY_MS = 250;
/** Twenty seconds, and the day is removed at the start: 4,000 deliveries are enough for a 99th percentile. */
const CHANGES = scaled(80);
/**
 * Events of the removed day, each with a delivery and its attempt. A tenth shows whether the number matters.
 */
const EVENTS = scaled(1_000_000);

/**
 * Measures the removal of a day of history, and deliveries during the removal. Compares with a day of a tenth
 * of the size and with no removal. The day is dropped as a partition, so its size hardly matters.
 */
export async function benchRetention(rounds: number): Promise<void> {
  await withEngine(async ({ sink }) => {
    const stage = await makeStage(hookPaths(HOOKS));
    const side = (name: string, events: number) => ({
      name,
      measure: async () => {
        if (events > 0) await makeOldDay(stage, events);
        let seconds = 0;
        const beside = async () => {
          const began = machineMs();
          await removeOldHistory();
          seconds = (machineMs() - began) / 1_000;
          if ((await oldDays()) > 0) throw new Error('The day is still there.');
        };
        const { p99, longest } = await measureHooks(
          { stage, sink, hookIds: stage.hookIds },
          { everyMs: EVERY_MS, changes: CHANGES, beside },
        );
        return { p99, longest, seconds };
      },
    });
    await compare('retention', {
      rounds,
      figures: {
        p99: { unit: 'ms', bars: [{ to: 'nothing goes', atMost: 1.2 }] },
        longest: { unit: 'ms' },
        seconds: { unit: 's', bars: [{ atMost: 60 }] },
      },
      sides: [
        side(`${EVENTS} events go`, EVENTS),
        side(`${EVENTS / 10} events go`, EVENTS / 10),
        side('nothing goes', 0),
      ],
    });
  });
}

/** Fills a day that is older than `HISTORY_DAYS`. */
export async function makeOldDay({ workspaceId, hookIds }: Stage, events: number): Promise<void> {
  const age = settings().HISTORY_DAYS + 2;
  const day = `((now() at time zone 'UTC')::date - ${age})`;
  for (const table of ['events', 'deliveries', 'attempts']) {
    await pool().query(`select add_history_day($1, ${day})`, [table]);
  }
  const id = `(lpad(to_hex((extract(epoch from ${day}::timestamp) * 1000 + n * 80)::bigint), 12, '0') || '7000'
    || '8' || substr(md5(n::text), 1, 15))::uuid`;
  const at = `${day}::timestamp + n * interval '80 milliseconds'`;
  const delivery = `md5(n::text)::uuid`;
  const BATCH = 50_000;
  for (let from = 1; from <= events; from += BATCH) {
    const rows = `generate_series(${from}, ${Math.min(events, from + BATCH - 1)}) n`;
    await pool().query(
      `insert into events (id, workspace_id, key, body, created_at)
       select ${id}, $1::uuid, 'conversation.status_changed', repeat('x', 1000), ${at} from ${rows}`,
      [workspaceId],
    );
    await pool().query(
      `insert into deliveries (id, workspace_id, event_id, hook_id, attempts, ended_at, outcome, created_at)
       select ${delivery}, $1::uuid, ${id}, $2::uuid, 1, ${at}, 'delivered', ${at} from ${rows}`,
      [workspaceId, hookIds[0]],
    );
    await pool().query(
      `insert into attempts (event_id, delivery_id, number, outcome, status_code, started_at, duration_ms)
       select ${id}, ${delivery}, 1, 'delivered', 200, ${at}, 5 from ${rows}`,
    );
  }
  // A day of weeks ago would be vacuumed and flushed already, so this work must not count.
  const { rows } = await pool().query<{ day: string }>(`select to_char(${day}, 'YYYYMMDD') as day`);
  for (const table of ['events', 'deliveries', 'attempts']) {
    await pool().query(`vacuum (freeze, analyze) ${table}_${rows[0]?.day}`);
  }
  await pool().query('checkpoint');
}

async function oldDays(): Promise<number> {
  const { rows } = await pool().query<{ days: number }>(
    `select count(*)::int as days from pg_class where relname ~ '^(events|deliveries|attempts)_[0-9]{8}$'
     and to_date(right(relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - $1::int`,
    [settings().HISTORY_DAYS],
  );
  return rows[0]?.days ?? 0;
}
