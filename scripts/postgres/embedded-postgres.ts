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

/** A PostgreSQL of our own, listening on 127.0.0.1 only. */
export type EmbeddedPostgres = {
  port: number;
  /** The folder that has the data: `dataDir`, or another one where that is closed to the user it runs as. */
  folder: string;
  /** The file that it logs to, whichever process started it. */
  log: string;
  /** The address of one of its databases, password included. */
  url(database: string): string;
  /** Makes a database unless it is there. */
  ensureDatabase(database: string): Promise<void>;
  /** Ends all sessions and stops the server. */
  stop(): Promise<void>;
};

/** Where it is kept, and settings such as `{ max_connections: 200, fsync: 'off' }`. */
export type EmbeddedPostgresOptions = { dataDir: string; settings?: Record<string, string | number> };

type Server = PostgresFolder & { home: string; cluster: string };

const run = promisify(execFile);

/**
 * Starts PostgreSQL on `dataDir`, which is made on the first start. One that an earlier run left running is
 * adopted. It runs in a session of its own, so no Ctrl-C reaches it: the process that starts it stops it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir: home, settings = {} } = options;
  await makePrivateFolder(home, {});
  const place = await preparePostgresFolder(home, await findInstallation());
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

/** The port of a server that still runs on our cluster and answers; one that does not answer is stopped. */
async function adopt(server: Server, password: string): Promise<number | undefined> {
  const found = await runningPostmaster(server.cluster);
  if (!found) {
    // A number in a stale file may belong to any process by now, and PostgreSQL would take it for its own.
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
      // Someone took the port in between, or the last children of a killed server are still ending.
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

/** Does something with a connection to a database, and closes it. Throws when none can be made within half a minute. */
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

/** The address of a database of ours. */
export function urlOf(port: number, password: string, database: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** How long a server found running gets to answer: it may be recovering from a crash. */
const ADOPT_MS = 15_000;
const START_ATTEMPTS = 3;
