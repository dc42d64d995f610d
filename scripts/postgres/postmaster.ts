import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf, isAlive, signal, until } from '#scripts/tools/processes.ts';

export type Postmaster = { pid: number; dataDirectory: string; port: number; ready: boolean };

/** Parses `postmaster.pid`. Returns undefined if it is incomplete, because the server is starting. */
export function parsePostmasterPid(text: string): Postmaster | undefined {
  const [pid, dataDirectory, , port, , , , status] = text.split('\n').map((line) => line.trim());
  if (!isNumber(pid) || !isNumber(port) || !dataDirectory) return undefined;
  return { pid: Number(pid), dataDirectory, port: Number(port), ready: status === 'ready' };
}

/** Returns the PostgreSQL that runs on a data directory, after checking that the process is PostgreSQL. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = parsePostmasterPid(text);
  if (!postmaster) return undefined;
  const command = await commandOf(postmaster.pid);
  return command?.includes(cluster) ? postmaster : undefined;
}

/** Stops the PostgreSQL on a data directory, if one runs. Returns false if it is still running. */
export async function stopPostmaster(cluster: string): Promise<boolean> {
  const postmaster = await runningPostmaster(cluster);
  if (!postmaster) return true;
  // PostgreSQL's fast shutdown.
  signal(postmaster.pid, 'SIGINT');
  return await until(() => !isAlive(postmaster.pid), SHUTDOWN_MS);
}

const SHUTDOWN_MS = 60_000;

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/.test(text);
}
