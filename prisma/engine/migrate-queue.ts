import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ClientBase, Pool } from 'pg';
import { codeOf } from '#server/core/user-error.ts';

/** Applies the migrations of the queue, each in a transaction. `limits`: timeouts of its connections. */
export async function migrateQueue(
  databaseUrl: string,
  limits: { lock_timeout: number; statement_timeout: number },
): Promise<void> {
  // Imported only when needed, because it loads slowly.
  const { Logger, runMigrations } = await import('graphile-worker');
  const pgPool = new Pool({ connectionString: databaseUrl, ...limits });
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => void client.on('error', () => {}));
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => undefined) });
  } finally {
    await pgPool.end();
  }
}

export async function queueIsCurrent(client: ClientBase): Promise<boolean> {
  const newest = await newestQueueMigration();
  try {
    const { rows } = await client.query<{ id: number | null }>(
      'select max(id) as id from graphile_worker.migrations',
    );
    return newest !== undefined && (rows[0]?.id ?? 0) >= newest;
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE || codeOf(error) === UNDEFINED_SCHEMA) return false;
    throw error;
  }
}

/** Returns the number of the newest `000020.sql` in the package, or undefined if its layout changed. */
async function newestQueueMigration(): Promise<number | undefined> {
  const files = await readdir(
    join(dirname(createRequire(import.meta.url).resolve('graphile-worker')), '..', 'sql'),
  ).catch(() => []);
  return files
    .filter((file) => /^\d+\.sql$/.test(file))
    .map((file) => Number.parseInt(file, 10))
    .sort((a, b) => a - b)
    .at(-1);
}

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_SCHEMA = '3F000';
