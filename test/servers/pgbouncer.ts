import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProgram } from '#scripts/tools/find-program.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { signal } from '#scripts/tools/processes.ts';

/** Path of the program; undefined if it cannot be found, which was then printed. */
export const PGBOUNCER = await findProgram({ debianPackage: 'pgbouncer', setting: 'PGBOUNCER_PATH' }, say);
if (PGBOUNCER === undefined) {
  say('SKIPPED: pgbouncer is not installed and could not be. The service behind a pooler is NOT tested.');
  say('Install pgbouncer, or set PGBOUNCER_PATH, and run the tests again.');
}

/** PgBouncer refuses to run as root. It runs as this unprivileged user instead. */
const NOBODY = 65_534;
/** Log line of PgBouncer when it listens. */
const READY = 'process up';

export type TestPgBouncer = {
  /** Returns the URL of a database through the pooler. */
  url(databaseUrl: string): string;
  stop(): Promise<void>;
};

/**
 * Starts a PgBouncer in transaction mode in front of a PostgreSQL server, on a free port of 127.0.0.1.
 * @param serverUrl the server's URL, with a user who can use all databases in question
 * @param connections maximum per database; few, so that many transactions share them
 */
export async function startPgBouncer(serverUrl: string, connections: number): Promise<TestPgBouncer> {
  if (PGBOUNCER === undefined) throw new Error('pgbouncer is not available.');
  const server = new URL(serverUrl);
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const quoted = (text: string) => `'${decodeURIComponent(text).replaceAll("'", "''")}'`;
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${quoted(server.username)} password=${quoted(server.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${connections}
`,
  );
  await chmod(file, 0o600);
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    await chown(folder, NOBODY, NOBODY);
    await chown(file, NOBODY, NOBODY);
  }
  const child = spawn(PGBOUNCER, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
    ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('pgbouncer cannot be started.');
  const ended = once(child, 'exit');
  const kill = () => signal(pid, 'SIGKILL');
  // Also kills the pooler when a test fails before it stops it.
  process.once('exit', kill);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes(READY)) break;
  }
  if (!lines.at(-1)?.includes(READY)) throw new Error(`pgbouncer did not start:\n${lines.join('\n')}`);
  child.stderr.resume();
  return {
    url: (databaseUrl) => {
      const through = new URL(databaseUrl);
      through.host = `127.0.0.1:${port}`;
      return through.toString();
    },
    stop: async () => {
      process.off('exit', kill);
      if (child.exitCode === null && child.signalCode === null) kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function say(text: string): void {
  process.stderr.write(`\n${text}\n`);
}
