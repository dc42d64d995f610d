import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { ensureCluster, readPassword } from '#scripts/postgres/postgres-cluster.ts';
import { type PostgresFolder, preparePostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { findInstallation, programIn } from '#scripts/postgres/postgres-installation.ts';
import { runningPostmaster } from '#scripts/postgres/postmaster.ts';
import { makePrivateFolder } from '#scripts/postgres/reachable-postgres.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { until } from '#scripts/tools/processes.ts';
import { reasonOf, UserError } from '#server/core/user-error.ts';

/** An embedded PostgreSQL on 127.0.0.1. */
export type EmbeddedPostgres = {
  port: number;
  /** Folder with the data: `dataDir`, or another one if PostgreSQL's user cannot enter that. */
  folder: string;
  log: string;
  /** Returns the URL of a database, with the password. */
  url(database: string): string;
  ensureDatabase(database: string): Promise<void>;
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  dataDir: string;
  /** PostgreSQL's, such as `{ max_connections: 200, fsync: 'off' }`. */
  settings?: Record<string, string | number>;
  /** Folder with PostgreSQL's `bin`, if not the npm package. */
  installation?: string;
};

type Server = PostgresFolder & { home: string; cluster: string };

const run = promisify(execFile);

/**
 * Starts PostgreSQL in `dataDir`, or adopts one that an earlier run left there. It runs in its own session, which
 * Ctrl-C does not reach: the caller stops it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir: home, settings = {}, installation = await findInstallation() } = options;
  await makePrivateFolder(home, {});
  const place = await preparePostgresFolder(home, installation);
  const password = await readPassword(home);
  await ensureCluster(place, password, settings.fsync !== 'off');
  const server = { ...place, home, cluster: join(place.folder, 'cluster') };

  const port = (await adopt(server, password)) ?? (await start(server, settings));
  const url = (database: string) => urlOf(port, password, database);
  return {
    port,
    folder: place.folder,
    log: logOf(server),
    url,
    ensureDatabase: (name) => withClient(url('postgres'), (client) => ensureDatabase(client, name)),
    stop: () => stop(server, 'fast'),
  };
}

/** Returns the port of a server that runs on the cluster and responds. Stops one that does not respond. */
async function adopt(server: Server, password: string): Promise<number | undefined> {
  const found = await runningPostmaster(server.cluster);
  if (!found) {
    // The process id in a stale file may belong to another process, which PostgreSQL would mistake for its own.
    await rm(join(server.cluster, 'postmaster.pid'), { force: true });
    return undefined;
  }
  const answers = () =>
    withClient(urlOf(found.port, password, 'postgres'), async () => true).catch(() => false);
  if (await until(answers, ADOPT_MS)) return found.port;
  await stop(server, 'immediate');
  return undefined;
}

async function start(server: Server, settings: Record<string, string | number>): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const flags = Object.entries({
      ...settings,
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    });
    const options = flags.map(([name, value]) => `-c ${name}='${value}'`).join(' ');
    const log = logOf(server);
    try {
      await control(server, ['start', '--wait', '--timeout=300', `--log=${log}`, `--options=${options}`]);
      return port;
    } catch (error) {
      // Another program took the port in between, or children of a killed server are still ending.
      if (attempt < START_ATTEMPTS) continue;
      throw new UserError(
        `The embedded PostgreSQL does not start (${reasonOf(error)}): see ${log}; if it cannot be repaired, ` +
          `remove ${server.home}, which deletes its data.`,
      );
    }
  }
}

function logOf(server: Server): string {
  return join(server.folder, 'server.log');
}

async function stop(server: Server, mode: 'fast' | 'immediate'): Promise<void> {
  if (!(await runningPostmaster(server.cluster))) return;
  await control(server, ['stop', '--wait', '--timeout=300', `--mode=${mode}`]);
}

async function control(server: Server, args: string[]): Promise<void> {
  await run(programIn(server.installation, 'pg_ctl'), ['--silent', `--pgdata=${server.cluster}`, ...args], {
    ...server.user,
    cwd: server.folder,
  });
}

async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
}

/**
 * Runs `work` with a connection, which it closes.
 * @throws when no connection opens within half a minute
 */
export async function withClient<T>(
  url: string | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function urlOf(port: number, password: string, database: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** Timeout of a running server, which may be recovering from a crash. */
const ADOPT_MS = 15_000;
const START_ATTEMPTS = 3;
