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

/** A migrated, empty database of one test file. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/** Name prefix of every test database, and of nothing else on the server. */
export const TEST_DATABASE_PREFIX = 'inbox_test_';

/**
 * Creates a database for a test file by cloning the template; `drop` it in `afterAll`. Copying the files
 * takes half as long as writing each page to the WAL.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminDatabaseUrl');
  const name = `${TEST_DATABASE_PREFIX}${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(adminUrl, [
    ...(inject('copyMethod') === 'clone' ? ["set file_copy_method = 'clone'"] : []),
    `create database ${name} template ${inject('templateDatabase')} strategy file_copy`,
  ]);
  return {
    url: withDatabase(adminUrl, name),
    drop: () => runAsAdmin(adminUrl, [`drop database if exists ${name} with (force)`]),
  };
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
