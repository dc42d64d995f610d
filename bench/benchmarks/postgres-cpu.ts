import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * How much processor time a PostgreSQL took since it was started, with all of its processes, those that ended included; in
 * milliseconds. On Linux alone.
 * @param folder of its data, as a lab names it
 */
export async function postgresCpuMs(folder: string): Promise<number> {
  const postmaster = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n', 1)[0];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name in brackets may hold anything; after it: state, parent, and from the 12th on own and waited-for time.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    const [own, ofEnded] = [11, 13].map((at) => Number(fields[at]) + Number(fields[at + 1]));
    if (pid === postmaster) ticks += (own ?? 0) + (ofEnded ?? 0);
    else if (fields[1] === postmaster) ticks += own ?? 0;
  }
  return ticks * TICK_MS;
}
