import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf, isAlive, signal, until } from '#scripts/tools/processes.ts';

/** What a running PostgreSQL says about itself in `postmaster.pid`. */
export type Postmaster = { pid: number; dataDirectory: string; port: number; ready: boolean };

/** Reads the text of a `postmaster.pid`; undefined when it is incomplete (the server was just starting). */
export function parsePostmasterPid(text: string): Postmaster | undefined {
  const [pid, dataDirectory, , port, , , , status] = text.split('\n').map((line) => line.trim());
  if (!isNumber(pid) || !isNumber(port) || !dataDirectory) return undefined;
  return { pid: Number(pid), dataDirectory, port: Number(port), ready: status === 'ready' };
}

/** The PostgreSQL that runs on this data directory, after making sure that the process is really that. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = parsePostmasterPid(text);
  if (!postmaster) return undefined;
  const command = await commandOf(postmaster.pid);
  return command?.includes(cluster) ? postmaster : undefined;
}

/** Stops the PostgreSQL on a data directory, if one runs there; false when it is still running afterwards. */
export async function stopPostmaster(cluster: string): Promise<boolean> {
  const postmaster = await runningPostmaster(cluster);
  if (!postmaster) return true;
  // SIGINT is PostgreSQL's fast shutdown.
  signal(postmaster.pid, 'SIGINT');
  return await until(() => !isAlive(postmaster.pid), SHUTDOWN_MS);
}

const SHUTDOWN_MS = 60_000;

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/.test(text);
}
