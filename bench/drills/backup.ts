import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { judgeRestored, runCommand, twice } from '#bench/drills/after-restore.ts';
import { checkChanges, checkDeliveries, untilMailed } from '#bench/drills/check-changes.ts';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge, notRun } from '#bench/drills/judge.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { machineMs } from '#bench/lab/clock.ts';
import { startLab } from '#bench/lab/lab.ts';
import { LAB_DIR, startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { ANY_MAJOR, findClientPrograms } from '#scripts/backup/client-programs.ts';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { dataDirOf } from '#server/core/project.ts';
import { describeError } from '#server/core/user-error.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// npm run drill -- backup [seconds]: takes a backup with `npm run backup` during changes and deliveries. Then kills all processes and the
// database, restores the backup with `npm run restore` into a new cluster, continues there, and releases what was held.
const [seconds = 5] = process.argv.slice(2).map(Number);
const restoredHome = join(dataDirOf(process.env), 'drill-restored-postgres');

const programs = await findClientPrograms(ANY_MAJOR).catch((error: unknown) => {
  notRun(describeError(error));
});
if (programs) await drill(dirname(programs.folder));

/** @param installation PostgreSQL of the version of pg_dump, as the embedded one may be newer */
async function drill(installation: string): Promise<void> {
  const lab = await startLab({}, `${LAB_DIR}-client`, installation);
  const folder = await mkdtemp(join(tmpdir(), 'drill-backup-'));
  let restored: Awaited<ReturnType<typeof startLabPostgres>> | undefined;
  try {
    await withDrilledService({ lab }, async (service) => {
      const { stage, servers, workers, sink, startServer, startWorker } = service;
      const writers = startWriters(stage, () => servers.map(({ url }) => url));
      await until('changes are accepted', () => writers.requested.filter(isAcknowledged).length > 50);
      const beganAt = machineMs();
      await runCommand('backup', '--to', folder);
      const tookMs = machineMs() - beganAt;
      await sleep(seconds * 1_000);
      const requested = await writers.stop();
      await Promise.all([...servers, ...workers].map((each) => each.kill()));
      await closeDatabase();
      await lab.control.stop('immediate');
      const sentBefore = await sink.report();

      restored = await startLabPostgres({ max_connections: 200 }, restoredHome, installation);
      await restored.ensureDatabase('restored');
      const DATABASE_URL = restored.url('restored');
      setTestSettings({ DATABASE_URL, HOOKS_CONNECT_TO: sink.connectTo, HOOKS_CA_FILE: sink.caFile });
      const [name = ''] = await readdir(folder);
      const restoringAt = machineMs();
      await runCommand('restore', join(folder, name));
      const restoredMs = machineMs() - restoringAt;
      const held = await countHeld();

      const server = await startServer({ DATABASE_URL });
      await startWorker({ DATABASE_URL });
      const going = startWriters(stage, () => [server.url]);
      await until('changes are accepted', () => going.requested.length >= 50);
      const later = await going.stop();
      await until('later events are sent', async () => (await countOpen()) === 0);
      const sentWhileHeld = await sink.report();
      const repeated = twice(sentWhileHeld) - twice(sentBefore);
      await runCommand('restore', 'release', 'all');
      const deliveries = await checkDeliveries(service);
      await untilMailed(stage.workspaceId);
      const before = requested.filter(({ answeredAt }) => answeredAt < beganAt);
      const backedUp = await checkChanges(stage.workspaceId, before);
      const all = await checkChanges(stage.workspaceId, [...requested, ...later]);

      figure(
        `the backup took ${tookMs.toFixed(0)} ms, with ${requested.length} changes (${countStatuses(requested)}); the restore ${restoredMs.toFixed(0)} ms`,
      );
      figure(`held: ${held.map(({ task, count }) => `${count} ${task}`).join(', ')}`);
      judge(
        `${backedUp.lost.length} of ${before.length} changes from before the backup were lost`,
        backedUp.lost.length === 0,
      );
      judgeRestored({ all, repeated, later, deliveries });
      const again = deliveries.twice - twice(sentBefore);
      figure(`${again} of the deliveries that were released had arrived before the crash`);
    });
  } finally {
    await closeDatabase();
    await restored?.stop();
    await lab.stop();
    await rm(restoredHome, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function countHeld(): Promise<{ task: string; count: number }[]> {
  const { rows } = await pool().query<{ task: string; count: number }>(
    'select task, count(*)::int as count from held_work group by task order by task',
  );
  return rows;
}

/** Counts deliveries and events that are not held and not yet sent. */
async function countOpen(): Promise<number> {
  const { rows } = await pool().query<{ open: number }>(
    `select ((select count(*) from deliveries where ended_at is null) + (select count(*) from events_to_fan_out))::int as open`,
  );
  return rows[0]?.open ?? 0;
}
