import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProgram } from '#scripts/tools/find-program.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { signal } from '#scripts/tools/processes.ts';

/** The program that tests with a pooler run; undefined when there is none to be had, and then it has been said. */
export const PGBOUNCER = await findProgram({ debianPackage: 'pgbouncer', setting: 'PGBOUNCER_PATH' }, say);
if (PGBOUNCER === undefined) {
  say('SKIPPED: no pgbouncer is installed and none could be. The service behind a pooler is NOT tested.');
  say('Install pgbouncer, or name one in PGBOUNCER_PATH, and run the tests again.');
}

/** It refuses to run as root: then it runs as a user who may do nothing else. */
const NOBODY = 65_534;
/** What it says once it listens. */
const READY = 'process up';

export type TestPgBouncer = {
  /** The address of a database of the server through the pooler. */
  url(databaseUrl: string): string;
  stop(): Promise<void>;
};

/**
 * Starts a PgBouncer in transaction mode before a PostgreSQL, on a free port of 127.0.0.1.
 * @param serverUrl the server's address, with a user who may use all databases in question
 * @param connections how many it opens to a database at most: few, so that transactions of many share them
 */
export async function startPgBouncer(serverUrl: string, connections: number): Promise<TestPgBouncer> {
  if (PGBOUNCER === undefined) throw new Error('There is no pgbouncer.');
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
  // Also when a test fails before it ends its pooler.
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
