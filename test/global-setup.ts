import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#prisma/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { type Lock, lock } from '#scripts/start/lock.ts';
import { runTool } from '#scripts/tools/run-tool.ts';
import { dataDirOf } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';
import { type CopyMethod, TEST_DATABASE_PREFIX, withDatabase } from '#test/database/database.ts';
import { watchDeadlocks } from '#test/database/deadlocks.ts';

/** `log` is the file it logs to, where that can be read. */
type TestServer = { adminUrl: string; log: string | undefined; stop(): Promise<void> };

/**
 * Before the integration tests: a PostgreSQL, in it a migrated database that every test file clones, and the service
 * compiled, once for all processes.
 * `TEST_DATABASE_URL` names another server than the embedded one, with a user who may create databases. The run fails
 * when the server detected a deadlock meanwhile.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await rm(COMPILE_CACHE.NODE_COMPILE_CACHE, { recursive: true, force: true });
  Object.assign(process.env, COMPILE_CACHE);
  // What fails to load fails again in the tests, which say where.
  const loaded = runTool('test/load-service.ts', []);
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { adminUrl: given, log: undefined, stop: async () => undefined }
    : await startTestServer();
  const admin = new Client({ connectionString: server.adminUrl });
  if (!server.log)
    console.warn('SKIPPED: the log of TEST_DATABASE_URL is not read: deadlocks are NOT noticed.');
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
      // What fails here is only shown by the test runner, and counts as passed.
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
 * How the files of a template are copied: by the kernel where it can and PostgreSQL is 18 or newer, which takes a third
 * of the work.
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

/** An embedded PostgreSQL that trades safety for speed, in the first folder that no other test run uses. */
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

/** Two runs on one server would drop each other's databases. The lock ends with the connection. */
async function claimServer(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ free: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('tests', 0)) as free",
  );
  if (rows[0]?.free) return;
  throw new UserError('Another test run uses this PostgreSQL server: wait for it, or set TEST_DATABASE_URL.');
}

/** Removes what this run made, or an earlier one that was broken off left behind. */
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
  // Nothing replays the log, so the least is written, and checkpoints are those of new databases.
  wal_level: 'minimal',
  max_wal_senders: 0,
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
  // What a test needs statistics for it analyzes; a run leaves no table that is worth compiling for or cleaning.
  autovacuum: 'off',
  jit: 'off',
  max_connections: 300,
};

/**
 * What a process is started with that need not compile the service again: what one compiled is kept for the next of
 * the same run. Two seconds of a processor became a second and a quarter. The processes of the integration tests have
 * it, and so all that they start.
 */
const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(dataDirOf(process.env), 'test-compile-cache'),
} as const;
