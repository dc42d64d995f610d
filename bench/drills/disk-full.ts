import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge } from '#bench/drills/judge.ts';
import { judgeChanges, judgeRefreshes } from '#bench/drills/judge-changes.ts';
import { startRefreshers } from '#bench/drills/refreshers.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { startLab } from '#bench/lab/lab.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { makeSmallDisk } from '#test/faults/small-disk.ts';
import { until } from '#test/fixtures/until.ts';

// npm run drill -- disk-full [seconds]: PostgreSQL's data is on a disk of its own, in memory, which is filled to its last
// byte while servers take changes and workers deliver, and then has room again. Mounting such a disk takes root on Linux.
const [seconds = 15] = process.argv.slice(2).map(Number);
const RESUME_MS = 5_000;

const disk = await makeSmallDisk();
if (disk === undefined) {
  figure(
    'NOT RUN: a disk can be mounted by root on Linux alone. worker/full-disk.integration.test.ts has errors injected.',
  );
} else {
  // A small log: it is what grows while the disk is full, and without room for it PostgreSQL ends.
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
      await until('changes are made', () => writers.asked.filter(isAcknowledged).length > 20);
      await disk.fill();
      const fullAt = writers.asked.length;
      // Pages that have room take some changes yet.
      await until('changes are refused', () =>
        writers.asked.slice(fullAt).some((each) => !isAcknowledged(each)),
      );
      await sleep(seconds * 1_000);
      const whileFull = writers.asked.slice(fullAt);
      await disk.makeRoom();
      const hasEnded = !existsSync(`${lab.folder}/cluster/postmaster.pid`);
      if (hasEnded) await lab.control.start();
      const roomAt = performance.now();
      const before = writers.asked.filter(isAcknowledged).length;
      await until('changes are made again', () => writers.asked.filter(isAcknowledged).length > before + 5);
      const resumedMs = performance.now() - roomAt;
      const asked = await writers.stop();
      const statuses = await refreshers.stop();
      const { whole, twice, unsent } = await judgeChanges(service, asked);
      judgeRefreshes(statuses);

      figure(
        `${seconds} s without a byte of room after the first change was refused${hasEnded ? '; PostgreSQL ended and was started again' : ''}`,
      );
      figure(
        `meanwhile ${whileFull.length} changes asked for (${countStatuses(whileFull)}), in all ${whole} made`,
      );
      figure(
        `${twice} deliveries sent twice; ${unsent} mails given up, as it was unknown whether they had left`,
      );
      const unclear = whileFull.filter(({ isClear }) => !isClear);
      judge(`${unclear.length} answers that were neither the change nor an error`, unclear.length === 0);
      judge(`changes are made again after ${resumedMs.toFixed(0)} ms`, resumedMs <= RESUME_MS);
    });
  } finally {
    await closeDatabase();
    await lab.stop();
    await disk.remove();
  }
}
