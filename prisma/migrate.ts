import { Client, Pool } from 'pg';
import { migrateQueue, queueIsCurrent } from '#prisma/engine/migrate-queue.ts';
import { migrationAdapter } from '#prisma/engine/migration-adapter.ts';
import { isAtomic, type MigrationFile, readMigrationFiles } from '#prisma/engine/migration-files.ts';
import {
  compareMigrations,
  type MigrationState,
  readAppliedMigrations,
} from '#prisma/engine/migration-state.ts';
import { EVERYTHING, withSchemaEngine } from '#prisma/engine/schema-engine.ts';
import { loadEnvironment, projectPath } from '#server/core/project.ts';
import { reasonOf, runCli, UserError } from '#server/core/user-error.ts';

export type MigrateResult = { applied: string[]; unknown: string[] };

/**
 * Timeouts of a migration, in ms, which override the role's. A migration that waits for a lock blocks all later
 * queries.
 */
const MIGRATION_LIMITS = { statement_timeout: 3_600_000, lock_timeout: 60_000 };

/** Serializes parallel migrations of a database: the others wait and find nothing to do. */
const MIGRATE_LOCK = 'migrate';

/**
 * Applies the pending migrations of `folder` and of the job queue.
 * @throws UserError when an applied migration was edited or one fails
 */
export async function migrate(
  databaseUrl: string,
  folder = projectPath('prisma', 'migrations'),
): Promise<MigrateResult> {
  const files = await readMigrationFiles(folder);
  const client = await connect(databaseUrl);
  try {
    const before = await readState(client, files);
    if (isCurrent(before) && (await queueIsCurrent(client))) return { applied: [], unknown: before.unknown };

    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [MIGRATE_LOCK]);
    const state = await readState(client, files);
    const applied = isCurrent(state) ? [] : await applyPending(databaseUrl, folder, files, state);
    if (!(await queueIsCurrent(client))) await migrateQueue(databaseUrl);
    return { applied, unknown: state.unknown };
  } finally {
    await client.end();
  }
}

async function connect(databaseUrl: string): Promise<Client> {
  try {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
    await client.connect();
    // Waits for other migrations without a timeout.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    return client;
  } catch (error) {
    throw new UserError(
      `The database cannot be reached (${reasonOf(error)}): check DATABASE_URL and that PostgreSQL is running.`,
    );
  }
}

async function readState(client: Client, files: MigrationFile[]): Promise<MigrationState> {
  const state = compareMigrations(files, await readAppliedMigrations(client));
  const edited = state.edited[0];
  if (edited === undefined) return state;
  throw new UserError(
    `The migration ${edited} was edited after it was applied to this database: restore ` +
      `prisma/migrations/${edited}/migration.sql and put the change into a new migration.`,
  );
}

function isCurrent(state: MigrationState): boolean {
  return state.pending.length === 0 && state.failed.length === 0;
}

async function applyPending(
  databaseUrl: string,
  folder: string,
  files: MigrationFile[],
  state: MigrationState,
): Promise<string[]> {
  for (const name of state.failed) assertRepeatable(files, name);
  const list = {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: files.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
  // The engine leaves its connections open, so the pool is created and closed here.
  const pool = new Pool({ connectionString: databaseUrl, ...MIGRATION_LIMITS });
  try {
    return await withSchemaEngine(migrationAdapter(pool), async (engine) => {
      for (const migrationName of state.failed) await engine.markMigrationRolledBack({ migrationName });
      const result = await engine.applyMigrations({ migrationsList: list, filters: EVERYTHING });
      return result.appliedMigrationNames;
    });
  } catch (error) {
    throw new UserError(describeEngineError(error));
  } finally {
    await pool.end();
  }
}

/** Returns the engine's message without its stack trace. */
function describeEngineError(error: unknown): string {
  const [text = '', trail = ''] = (error instanceof Error ? error.message : String(error)).split(/^ +0: /m);
  const name = /migration_name="([^"]+)"/.exec(trail)?.[1];
  const reason = text.replaceAll(/external connector error|Error querying the database:/g, '').trim();
  return `The migration ${name ?? 'of the database'} failed: ${reason}`;
}

/** An interrupted migration runs again only if it is atomic. */
function assertRepeatable(files: MigrationFile[], name: string): void {
  const file = files.find((each) => each.name === name);
  if (file && isAtomic(file.sql)) return;
  throw new UserError(
    `The migration ${name} stopped half-way and cannot be repeated safely: undo what it did, then set its ` +
      'rolled_back_at in the table _prisma_migrations and migrate again.',
  );
}

if (import.meta.main) {
  await runCli(async () => {
    loadEnvironment(process.env);
    // Migrations lock their session, which a pooler in transaction mode would lose.
    const databaseUrl = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL;
    if (!databaseUrl) {
      throw new UserError(
        'DATABASE_URL is not set: set it to the PostgreSQL to migrate (npm start migrates the embedded one).',
      );
    }
    const { applied, unknown } = await migrate(databaseUrl);
    for (const name of applied) console.log(`Applied ${name}.`);
    for (const name of unknown) console.log(`The database has a migration of a newer version: ${name}.`);
    if (applied.length === 0) console.log('Nothing to apply: the database is up to date.');
  });
}
