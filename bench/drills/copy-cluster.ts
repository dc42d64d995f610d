import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { machineMs } from '#bench/lab/clock.ts';
import type { Lab } from '#bench/lab/lab.ts';
import { preparePostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { findInstallation } from '#scripts/postgres/postgres-installation.ts';
import { giveTo } from '#scripts/postgres/postgres-user.ts';
import { makePrivateFolder } from '#scripts/postgres/reachable-postgres.ts';

const run = promisify(execFile);

/** Files of the running server, not of its data. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_stat_tmp'];
/** Empty folders that PostgreSQL requires. */
const EMPTY = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_stat_tmp'];

/**
 * Takes a base backup of a running PostgreSQL with its own functions (PostgreSQL manual, "Making a Base
 * Backup Using the Low Level API") and restores it into a new cluster.
 * @param dataDir the new cluster's `dataDir`
 * @returns the machine's time before `pg_backup_stop`, in ms: the backup contains all earlier commits
 */
export async function copyCluster({ url, folder }: Lab, home: string, dataDir: string): Promise<number> {
  await rm(dataDir, { recursive: true, force: true });
  await makePrivateFolder(dataDir, {});
  await cp(join(home, 'password'), join(dataDir, 'password'));
  const place = await preparePostgresFolder(dataDir, await findInstallation());
  const [from, to] = [join(folder, 'cluster'), join(place.folder, 'cluster')];
  let endedAt = 0;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('drill', true)`);
    await makePrivateFolder(to, place.user);
    // A file may disappear during the copy: `tar` then exits with 1, which is expected.
    const exclude = LEFT_OUT.map((name) => `--exclude=./${name}`);
    await run('sh', [
      '-c',
      `{ tar -C "$1" -cf - ${exclude.join(' ')} . || [ $? -eq 1 ]; } | tar -C "$2" -xpf -`,
      'sh',
      from,
      to,
    ]);
    for (const name of EMPTY) await makePrivateFolder(join(to, name), place.user);
    endedAt = machineMs();
    const { rows } = await client.query<{ labelfile: string }>(`select labelfile from pg_backup_stop(false)`);
    const label = join(to, 'backup_label');
    await writeFile(label, rows[0]?.labelfile ?? '');
    await giveTo(place.user, label);
  } finally {
    await client.end();
  }
  // An archive would supply the WAL; here it is still in the original cluster.
  await run('cp', ['-a', `${join(from, 'pg_wal')}/.`, join(to, 'pg_wal')]);
  return endedAt;
}
