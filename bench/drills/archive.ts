import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { judgeRestored, runCommand, twice } from '#bench/drills/after-restore.ts';
import { checkChanges, checkDeliveries, untilMailed } from '#bench/drills/check-changes.ts';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge, notRun } from '#bench/drills/judge.ts';
import { isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { machineMs } from '#bench/lab/clock.ts';
import { startLab } from '#bench/lab/lab.ts';
import { LAB_DIR, startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { ANY_MAJOR, findClientPrograms, splitAddress } from '#scripts/backup/client-programs.ts';
import { preparePostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { makePrivateFolder } from '#scripts/postgres/reachable-postgres.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { dataDirOf } from '#server/core/project.ts';
import { describeError } from '#server/core/user-error.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// npm run drill -- archive [seconds]: archives the write-ahead log as docs/backup.md says, and takes a base backup during changes. Kills
// everything, restores to a point in time in a new cluster, holds what was waiting, and continues there.
const run = promisify(execFile);
const [seconds = 3] = process.argv.slice(2).map(Number);
const labHome = `${LAB_DIR}-client`;
const restoredHome = join(dataDirOf(process.env), 'drill-restored-postgres');

/** Deliveries and events that are not held and not yet sent. */
const OPEN = `select ((select count(*) from deliveries where ended_at is null) + (select count(*) from events_to_fan_out))::int`;

const programs = await findClientPrograms(ANY_MAJOR).catch((error: unknown) => {
  notRun(describeError(error));
});
if (programs) await drill(programs.folder);

/** @param bin folder with pg_basebackup, beside the PostgreSQL of its version */
async function drill(bin: string): Promise<void> {
  const archive = await mkdtemp(join(tmpdir(), 'drill-archive-'));
  // PostgreSQL runs as another user.
  await chmod(archive, 0o777);
  const base = await mkdtemp(join(tmpdir(), 'drill-base-'));
  const lab = await startLab(
    {
      archive_mode: 'on',
      archive_timeout: 60,
      archive_library: 'basic_archive',
      'basic_archive.archive_directory': archive,
    },
    labHome,
    dirname(bin),
  );
  let restored: Awaited<ReturnType<typeof startLabPostgres>> | undefined;
  try {
    await withDrilledService({ lab }, async (service) => {
      const { stage, servers, workers, sink, startServer, startWorker } = service;
      const writers = startWriters(stage, () => servers.map(({ url }) => url));
      const accepted = () => writers.requested.filter(isAcknowledged).length;
      await until('changes are accepted', () => accepted() > 50);
      const { address, env } = splitAddress(lab.url);
      await run(
        join(bin, 'pg_basebackup'),
        [`--dbname=${address}`, `--pgdata=${base}`, '--checkpoint=fast', '--wal-method=none'],
        { env: { ...process.env, ...env } },
      );
      await sleep(seconds * 1_000);
      // Before the target: a change that is acknowledged while it is read may be after it.
      const targetAt = machineMs();
      const target = String(await queryPostgres(lab.url, 'select clock_timestamp()::text'));
      const before = accepted();
      await until('changes go on', () => accepted() > before + 20);
      const requested = await writers.stop();
      await archiveAll(lab.url);
      await Promise.all([...servers, ...workers].map((each) => each.kill()));
      await closeDatabase();
      await lab.control.stop('immediate');
      const sentBefore = await sink.report();

      const restoringAt = machineMs();
      await placeCluster(base, { archive, target, installation: dirname(bin) });
      restored = await startLabPostgres({ max_connections: 200 }, restoredHome, dirname(bin));
      const DATABASE_URL = restored.url('engine');
      await until('the recovery ends', async () => {
        return (await queryPostgres(DATABASE_URL, 'select pg_is_in_recovery()')) === false;
      });
      const restoredMs = machineMs() - restoringAt;
      setTestSettings({ DATABASE_URL, HOOKS_CONNECT_TO: sink.connectTo, HOOKS_CA_FILE: sink.caFile });
      await runCommand('restore', 'hold');
      const held = Number(await queryPostgres(DATABASE_URL, 'select count(*) from held_work'));
      const earlier = requested.filter(({ answeredAt }) => answeredAt < targetAt);
      const kept = await checkChanges(stage.workspaceId, earlier);
      const all = await checkChanges(stage.workspaceId, requested);

      const server = await startServer({ DATABASE_URL });
      await startWorker({ DATABASE_URL });
      const going = startWriters(stage, () => [server.url]);
      await until('changes are accepted', () => going.requested.length >= 50);
      const later = await going.stop();
      await until('later events are sent', async () => {
        return (await queryPostgres(DATABASE_URL, OPEN)) === 0;
      });
      const repeated = twice(await sink.report()) - twice(sentBefore);
      await runCommand('restore', 'release', 'all');
      const deliveries = await checkDeliveries(service);
      await untilMailed(stage.workspaceId);

      figure(
        `recovered in ${restoredMs.toFixed(0)} ms to the point in time, of ${requested.length} changes; ${held} held`,
      );
      judge(
        `${kept.lost.length} of ${earlier.length} changes from before the point in time were lost`,
        kept.lost.length === 0,
      );
      judge(`${all.lost.length} changes from after it are not there`, all.lost.length >= 20);
      judgeRestored({ all, repeated, later, deliveries });
    });
  } finally {
    await closeDatabase();
    await restored?.stop();
    await lab.stop();
    for (const folder of [archive, base, restoredHome]) await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until the segment with everything that was committed so far is in the archive. */
async function archiveAll(url: string): Promise<void> {
  const segment = await queryPostgres(url, 'select pg_walfile_name(pg_switch_wal())');
  await until('the log is archived', async () => {
    return queryPostgres(
      url,
      `select last_archived_wal >= '${segment}' from pg_stat_archiver`,
    ) as Promise<boolean>;
  });
}

/** Copies a base backup into the folder of a new cluster, and sets the target of its recovery. */
async function placeCluster(
  base: string,
  { archive, target, installation }: { archive: string; target: string; installation: string },
): Promise<void> {
  await rm(restoredHome, { recursive: true, force: true });
  await makePrivateFolder(restoredHome, {});
  await cp(join(labHome, 'password'), join(restoredHome, 'password'));
  const { folder, user } = await preparePostgresFolder(restoredHome, installation);
  const cluster = join(folder, 'cluster');
  await cp(base, cluster, { recursive: true });
  const lines = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${target}'`,
    'recovery_target_action = promote',
    // The settings of the first cluster were options of its start.
    "archive_mode = 'off'",
  ];
  await appendFile(join(cluster, 'postgresql.conf'), `${lines.join('\n')}\n`);
  await writeFile(join(cluster, 'recovery.signal'), '');
  if (user.uid !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, cluster]);
  await chmod(cluster, 0o700);
}
