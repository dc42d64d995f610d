import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    adminDatabaseUrl: string;
    /** The server's log file; empty when it cannot be read. */
    databaseLog: string;
    templateDatabase: string;
    copyMethod: CopyMethod;
  }
}

/** PostgreSQL setting for copying the files of a template. With `clone`, the kernel copies them. */
export type CopyMethod = 'clone' | 'copy';

/** A migrated database of one test file. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/** Name prefix of every test database, and of nothing else on the server. */
export const TEST_DATABASE_PREFIX = 'inbox_test_';

/**
 * Creates a database for a test file by cloning a template, by default the empty one; `drop` it in `afterAll`.
 * Copying the files takes half as long as writing each page to the WAL.
 */
export async function createTestDatabase(
  template = inject('templateDatabase'),
): Promise<TestDatabase & { name: string }> {
  const adminUrl = inject('adminDatabaseUrl');
  const name = `${TEST_DATABASE_PREFIX}${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(adminUrl, [
    ...(inject('copyMethod') === 'clone' ? ["set file_copy_method = 'clone'"] : []),
    `create database ${name} template ${template} strategy file_copy`,
  ]);
  return {
    name,
    url: withDatabase(adminUrl, name),
    drop: () => runAsAdmin(adminUrl, [`drop database if exists ${name} with (force)`]),
  };
}

/**
 * Returns the name of a template that the first caller of a run fills, while others wait. It is dropped at the
 * end of the run.
 */
export async function fillTemplate(name: string, fill: (url: string) => Promise<void>): Promise<string> {
  const template = `${inject('templateDatabase')}_${name}`;
  const admin = new Client({ connectionString: inject('adminDatabaseUrl') });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [template]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      const database = await createTestDatabase();
      await fill(database.url);
      await admin.query(`alter database ${database.name} rename to ${template}`);
    }
  } finally {
    // Also releases the lock.
    await admin.end();
  }
  return template;
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.toString();
}

async function runAsAdmin(adminUrl: string, statements: string[]): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const statement of statements) await admin.query(statement);
  } finally {
    await admin.end();
  }
}
