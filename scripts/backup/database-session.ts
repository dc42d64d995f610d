import { Client } from 'pg';
import { directUrl, KEEP_ALIVE } from '#server/core/database/pools.ts';
import { UserError } from '#server/core/user-error.ts';

/** Schemas of the product in its database. */
export const SCHEMAS = ['public', 'graphile_worker'];

/**
 * Runs `work` with a session on the database itself, not through a pooler. It has no timeouts: it waits for programs, and counts large
 * tables. It fails when the database's machine no longer responds.
 */
export async function withSession<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: directUrl(),
    connectionTimeoutMillis: 30_000,
    ...KEEP_ALIVE,
  });
  await client.connect();
  // A lost connection fails the next statement.
  client.on('error', () => {});
  try {
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = utc',
    );
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function readServerMajor(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  return Math.floor((rows[0]?.version ?? 0) / 10_000);
}

/**
 * Processes of PostgreSQL itself, such as autovacuum, have no user. Their type does not tell them apart: only a superuser sees it.
 * @throws UserError that names the programs with other sessions on the database
 */
export async function requireNoOtherSessions(client: Client): Promise<void> {
  const { rows: sessions } = await client.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), 'without a name') as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
       and coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  if (sessions.length === 0) return;
  const names = sessions.map(({ name }) => name).join(', ');
  throw new UserError(
    `Other sessions use the database (${names}): stop all servers and workers, and a pooler, then try again.`,
  );
}

/** Counts the rows of each table of the product, in the client's transaction. Unlogged tables are not part of a backup. */
export async function countRows(client: Client): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string; quoted: string }>(
    `select n.nspname || '.' || c.relname as name, format('%I.%I', n.nspname, c.relname) as quoted
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname = any ($1) order by 1`,
    [SCHEMAS],
  );
  const counts: Record<string, number> = {};
  for (const { name, quoted } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${quoted}`);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}
