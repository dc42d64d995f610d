import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge, notRun } from '#bench/drills/judge.ts';
import { judgeChanges, judgeRefreshes } from '#bench/drills/judge-changes.ts';
import { startRefreshers } from '#bench/drills/refreshers.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { startLab } from '#bench/lab/lab.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { makeSmallDisk } from '#test/faults/small-disk.ts';
import { until } from '#test/fixtures/until.ts';

// npm run drill -- disk-full [seconds]: PostgreSQL's data is on a separate in-memory disk. The disk is filled
// to the last byte while servers accept changes and workers deliver, then gets free space again. Mounting the
// disk requires root on Linux.
const [seconds = 15] = process.argv.slice(2).map(Number);
const RESUME_MS = 5_000;

const disk = await makeSmallDisk();
if (disk === undefined) {
  notRun(
    'mounting a disk requires root on Linux. worker/full-disk.integration.test.ts injects the errors instead.',
  );
} else {
  // A small WAL: it grows while the disk is full, and PostgreSQL stops without space for it.
  const lab = await startLab({ min_wal_size: '64MB', max_wal_size: '96MB' }, disk.home).catch(
    async (error) => {
      await disk.remove();
      throw error;
    },
  );
  try {
    await withDrilledService({ lab }, async (service) => {
      const { stage, servers } = service;
      const urls = () => servers.map(({ url }) => url);
      const writers = startWriters(stage, urls);
      const refreshers = startRefreshers(stage, urls);
      await until('changes are made', () => writers.requested.filter(isAcknowledged).length > 20);
      await disk.fill();
      const fullAt = writers.requested.length;
      // Pages with free space still accept some changes.
      await until('changes are refused', () =>
        writers.requested.slice(fullAt).some((each) => !isAcknowledged(each)),
      );
      await sleep(seconds * 1_000);
      const whileFull = writers.requested.slice(fullAt);
      await disk.makeRoom();
      const hasEnded = !existsSync(`${lab.folder}/cluster/postmaster.pid`);
      if (hasEnded) await lab.control.start();
      const roomAt = performance.now();
      const before = writers.requested.filter(isAcknowledged).length;
      await until(
        'changes are made again',
        () => writers.requested.filter(isAcknowledged).length > before + 5,
      );
      const resumedMs = performance.now() - roomAt;
      const requested = await writers.stop();
      const statuses = await refreshers.stop();
      const { complete, twice, failed } = await judgeChanges(service, requested);
      judgeRefreshes(statuses);

      figure(
        `${seconds} s with a full disk after the first refused change${hasEnded ? '; PostgreSQL stopped and was restarted' : ''}`,
      );
      figure(
        `with the full disk ${whileFull.length} changes requested (${countStatuses(whileFull)}), ${complete} completed in total`,
      );
      figure(
        `${twice} deliveries sent twice; ${failed} mails given up, as it was unknown whether they had left`,
      );
      const unclear = whileFull.filter(({ isClear }) => !isClear);
      judge(`${unclear.length} responses that were neither the change nor an error`, unclear.length === 0);
      judge(`changes are made again after ${resumedMs.toFixed(0)} ms`, resumedMs <= RESUME_MS);
    });
  } finally {
    await closeDatabase();
    await lab.stop();
    await disk.remove();
  }
}
