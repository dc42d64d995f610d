import { runningPostmaster } from '#scripts/postmaster-pid.ts';
import { isAlive, signal, until } from '#scripts/processes.ts';

/** Stops the PostgreSQL on a data directory, if one runs there; false when it is still running afterwards. */
export async function stopPostmaster(cluster: string): Promise<boolean> {
  const postmaster = await runningPostmaster(cluster);
  if (!postmaster) return true;
  // SIGINT is PostgreSQL's fast shutdown.
  signal(postmaster.pid, 'SIGINT');
  return await until(() => !isAlive(postmaster.pid), SHUTDOWN_MS);
}

const SHUTDOWN_MS = 20_000;
