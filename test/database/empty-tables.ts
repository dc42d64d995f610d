import type { Pool } from 'pg';
import { until } from '#test/fixtures/until.ts';

/** Tables whose rows the migrations and the queue write once. */
const PERMANENT = ['_prisma_migrations', 'event_log_epochs', 'migrations', '_private_tasks'];
const APPLICATION_SCHEMAS = "('public'::regnamespace, 'graphile_worker'::regnamespace)";
/** A larger database is replaced: dead rows slow down the plans of later files. */
const LARGEST_BYTES = 24 * 1024 * 1024;

/** Deletes the rows of all tables. `truncate` would take ten times as long, because most tables are empty. */
export async function emptyTables(pool: Pool): Promise<void> {
  await until('no session is busy', async () => (await countBusySessions(pool)) === 0);
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and relnamespace in ${APPLICATION_SCHEMAS} and pg_relation_size(pg_class.oid) > 0
         and relname <> all ($1)`,
      [PERMANENT],
    );
    await client.query('begin');
    // Skips triggers and foreign keys, so the order of the tables does not matter.
    await client.query('set local session_replication_role = replica');
    for (const { name } of rows) await client.query(`delete from ${name}`);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Returns a text that changes with tables, indexes, triggers, constraints or functions. */
export async function describeSchema(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ schema: string }>(
    `select md5(string_agg(object, ' ' order by object)) as schema from (
       select format('%s %s %s', oid, relname, relpersistence) from pg_class where relnamespace in ${APPLICATION_SCHEMAS}
       union all select format('%s %s', oid, tgenabled) from pg_trigger
       union all select format('%s %s', oid, convalidated) from pg_constraint
       union all select format('%s %s', oid, xmin) from pg_proc where pronamespace in ${APPLICATION_SCHEMAS}
     ) as objects (object)`,
  );
  return rows[0]?.schema ?? '';
}

/** Returns whether later files should use a new database: this one has many rows or statistics. */
export async function isWornOut(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ bytes: string; analyzed: boolean }>(
    `select sum(pg_total_relation_size(oid)) as bytes, bool_or(reltuples >= 0) as analyzed
     from pg_class where relkind = 'r' and relnamespace in ${APPLICATION_SCHEMAS} and relname <> all ($1)`,
    [PERMANENT],
  );
  return Number(rows[0]?.bytes) > LARGEST_BYTES || rows[0]?.analyzed === true;
}

/** Counts sessions of other connections that run a statement or have an open transaction. */
async function countBusySessions(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ busy: number }>(
    `select count(*)::int as busy from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`,
  );
  return rows[0]?.busy ?? 0;
}
