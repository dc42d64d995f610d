import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '#prisma/migrate.ts';
import { projectPath } from '#server/core/project.ts';
import { createTestDatabase } from '#test/database/database.ts';

const MIGRATIONS = projectPath('prisma', 'migrations');

/** A database of a version before this one. */
export type DatabaseBefore = {
  url: string;
  client: Client;
  /** Applies the migrations that it does not have yet. */
  migrate(): Promise<unknown>;
  drop(): Promise<void>;
};

/** Makes a database that has the migrations before one, given by its whole name; `drop` it in the end. */
export async function createDatabaseBefore(migration: string): Promise<DatabaseBefore> {
  const { url, drop } = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade; drop schema graphile_worker cascade; create schema public');
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  try {
    for (const name of await readdir(MIGRATIONS)) {
      if (name < migration) await cp(join(MIGRATIONS, name), join(folder, name), { recursive: true });
    }
    await migrate(url, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return {
    url,
    client,
    migrate: () => migrate(url),
    drop: async () => {
      await client.end();
      await drop();
    },
  };
}
