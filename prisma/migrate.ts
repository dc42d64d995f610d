import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { migrateQueue, queueIsCurrent } from '#prisma/engine/migrate-queue.ts';
import {
  checksumOf,
  isAtomic,
  type MigrationFile,
  readMigrationFiles,
} from '#prisma/engine/migration-files.ts';
import {
  compareMigrations,
  type MigrationState,
  readAppliedMigrations,
} from '#prisma/engine/migration-state.ts';
import { loadEnvironment, projectPath } from '#server/core/project.ts';
import { codeOf, reasonOf, runCli, UserError } from '#server/core/user-error.ts';

export type MigrateResult = { applied: string[]; unknown: string[] };

/**
 * A migration that waits for a lock blocks all later queries of the table, so it waits for at most two seconds, is rolled back, and tries
 * again after a pause in which they run.
 */
const LOCK_MS = 2_000;
const LOCK_PAUSE_MS = 1_000;
const LOCK_TRIES = 100;
/** Longest statement of a migration. */
const STATEMENT_MS = 3_600_000;
/** SQLSTATE of a lock that was not free in time, and of a deadlock with a running process. */
const LOCK_FAULTS = ['55P03', '40P01'];

/** Prepares the connection and Prisma's table of applied migrations. The limits override those of the role. */
const PREPARE = `
  set statement_timeout = ${STATEMENT_MS};
  set lock_timeout = ${LOCK_MS};
  create table if not exists _prisma_migrations (
    id varchar(36) primary key,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`;

const START = `insert into _prisma_migrations (id, checksum, migration_name, started_at)
  values ($1, $2, $3, clock_timestamp())`;

const ROLL_BACK = `update _prisma_migrations set rolled_back_at = clock_timestamp()
  where migration_name = any($1) and finished_at is null and rolled_back_at is null`;

const FINISH = `update _prisma_migrations set finished_at = clock_timestamp(), applied_steps_count = 1
  where migration_name = $1 and finished_at is null and rolled_back_at is null`;

/** Serializes parallel migrations of a database: the others wait and find nothing to do. */
export const MIGRATE_LOCK = 'migrate';

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
    const applied = isCurrent(state) ? [] : await applyPending(client, files, state);
    if (!(await queueIsCurrent(client))) {
      const limits = { lock_timeout: LOCK_MS, statement_timeout: STATEMENT_MS };
      await retryLocks(() => migrateQueue(databaseUrl, limits));
    }
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
  client: Client,
  files: MigrationFile[],
  state: MigrationState,
): Promise<string[]> {
  for (const name of state.failed) assertRepeatable(files, name);
  await client.query(PREPARE);
  await client.query(ROLL_BACK, [state.failed]);
  const pending = files.filter((file) => [...state.pending, ...state.failed].includes(file.name));
  for (const file of pending) await applyFile(client, file);
  return pending.map((file) => file.name);
}

/** Applies a file and its row in one transaction, or, if the file cannot run in one, between two writes of the row. */
async function applyFile(client: Client, file: MigrationFile): Promise<void> {
  try {
    if (isAtomic(file.sql)) return await applyWithoutWaiting(client, file);
    // An index that is created concurrently waits for transactions, which blocks nobody.
    await client.query('set lock_timeout = 0');
    await runFile(client, file);
    await client.query(`set lock_timeout = ${LOCK_MS}`);
  } catch (error) {
    throw new UserError(`The migration ${file.name} failed: ${describeError(error, file.sql)}`);
  }
}

async function applyWithoutWaiting(client: Client, file: MigrationFile): Promise<void> {
  await retryLocks(async () => {
    await client.query('begin');
    try {
      await runFile(client, file);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  });
}

/** Repeats `work` while it fails because of a lock. */
async function retryLocks(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!LOCK_FAULTS.includes(codeOf(error) ?? '') || tries === LOCK_TRIES) throw error;
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

async function runFile(client: Client, file: MigrationFile): Promise<void> {
  await client.query(START, [randomUUID(), checksumOf(file.sql), file.name]);
  await client.query(file.sql);
  await client.query(FINISH, [file.name]);
}

/** Returns the reason, with the line of the file where PostgreSQL names one. */
function describeError(error: unknown, sql: string): string {
  const position = error instanceof DatabaseError ? Number(error.position) : Number.NaN;
  const line = Number.isNaN(position) ? '' : ` (line ${sql.slice(0, position).split('\n').length})`;
  return `${reasonOf(error)}${line}`;
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
