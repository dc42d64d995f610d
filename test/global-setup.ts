import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#prisma/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { type Lock, lock } from '#scripts/start/lock.ts';
import { COMPILE_CACHE, emptyCompileCache } from '#scripts/tools/compile-cache.ts';
import { runTool } from '#scripts/tools/run-tool.ts';
import { dataDirOf } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';
import { type CopyMethod, TEST_DATABASE_PREFIX, withDatabase } from '#test/database/database.ts';
import { watchDeadlocks } from '#test/database/deadlocks.ts';

/** `log` is the path of the log file; undefined if it cannot be read. */
type TestServer = { adminUrl: string; log: string | undefined; stop(): Promise<void> };

/**
 * Prepares the integration tests: starts PostgreSQL, migrates the database that every test file clones, and
 * compiles the service once for all processes. `TEST_DATABASE_URL` sets another server than the embedded one;
 * its user must be able to create databases. The run fails if the server detected a deadlock.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // During `npm test` other processes use the cache.
  const isShared = process.env.NODE_COMPILE_CACHE === COMPILE_CACHE.NODE_COMPILE_CACHE;
  if (!isShared) await emptyCompileCache();
  Object.assign(process.env, COMPILE_CACHE);
  // A load error occurs again in the tests, with its location.
  const loaded = runTool('test/load-service.ts', []);
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { adminUrl: given, log: undefined, stop: async () => undefined }
    : await startTestServer();
  const admin = new Client({ connectionString: server.adminUrl });
  if (!server.log)
    console.warn('SKIPPED: the log of TEST_DATABASE_URL is not read. Deadlocks are NOT detected.');
  const refuseDeadlocks = server.log ? await watchDeadlocks(server.log) : async () => undefined;
  try {
    await admin.connect();
    await claimServer(admin);
    await dropTestDatabases(admin);
    const template = await createTemplate(admin, server.adminUrl);
    project.provide('templateDatabase', template);
    project.provide('copyMethod', await findCopyMethod(admin, template));
    project.provide('adminDatabaseUrl', server.adminUrl);
    project.provide('databaseLog', server.log ?? '');
    await loaded;
  } catch (error) {
    await admin.end();
    await server.stop();
    throw error;
  }
  return async () => {
    await dropTestDatabases(admin);
    await admin.end();
    await server.stop();
    try {
      await refuseDeadlocks();
    } catch (error) {
      // The test runner only prints an error here, and counts the run as passed.
      process.exitCode = 1;
      throw error;
    }
  };
}

async function createTemplate(admin: Client, adminUrl: string): Promise<string> {
  const name = `${TEST_DATABASE_PREFIX}template_${randomUUID().slice(0, 8)}`;
  await admin.query(`create database ${name}`);
  await migrate(withDatabase(adminUrl, name));
  return name;
}

/**
 * Returns how a template's files are copied: by the kernel where that is possible with PostgreSQL 18 or
 * newer, which takes a third of the time.
 */
async function findCopyMethod(admin: Client, template: string): Promise<CopyMethod> {
  const name = `${TEST_DATABASE_PREFIX}copied`;
  try {
    await admin.query("set file_copy_method = 'clone'");
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
    await admin.query(`drop database ${name}`);
    return 'clone';
  } catch {
    return 'copy';
  }
}

/** Starts an embedded PostgreSQL without durability, in the first folder that no other test run uses. */
async function startTestServer(): Promise<TestServer> {
  for (let number = 1; ; number++) {
    const dataDir = join(dataDirOf(process.env), number === 1 ? 'test-postgres' : `test-postgres-${number}`);
    const taken = await lock(dataDir);
    if ('heldBy' in taken) continue;
    const postgres = await startEmbeddedPostgres({ dataDir, settings: FAST_SETTINGS });
    return {
      adminUrl: postgres.url('postgres'),
      log: postgres.log,
      stop: () => stopTestServer(postgres, taken),
    };
  }
}

async function stopTestServer(postgres: EmbeddedPostgres, taken: Lock): Promise<void> {
  await postgres.stop();
  taken.release();
}

/** Locks the server, as two runs would drop each other's databases. The lock ends with the connection. */
async function claimServer(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ free: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('tests', 0)) as free",
  );
  if (rows[0]?.free) return;
  throw new UserError('Another test run uses this PostgreSQL server: wait for it, or set TEST_DATABASE_URL.');
}

/** Drops the databases of this run and of earlier aborted runs. */
async function dropTestDatabases(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [TEST_DATABASE_PREFIX],
  );
  for (const { name } of rows)
    await admin.query(`drop database ${admin.escapeIdentifier(name)} with (force)`);
}

const FAST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Minimal WAL, as nothing replays it. Checkpoints only occur for new databases.
  wal_level: 'minimal',
  max_wal_senders: 0,
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
  // Tests that need statistics run ANALYZE. No table lives long enough for autovacuum or JIT to pay off.
  autovacuum: 'off',
  jit: 'off',
  max_connections: 300,
};
