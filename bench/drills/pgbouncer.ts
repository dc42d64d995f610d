import { setTimeout as sleep } from 'node:timers/promises';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge, notRun } from '#bench/drills/judge.ts';
import { judgeChanges, judgeRefreshes } from '#bench/drills/judge-changes.ts';
import { startRefreshers } from '#bench/drills/refreshers.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { machineMs } from '#bench/lab/clock.ts';
import { startLab } from '#bench/lab/lab.ts';
import { endSessions } from '#test/faults/end-sessions.ts';
import { until } from '#test/fixtures/until.ts';
import { PGBOUNCER, startPgBouncer } from '#test/servers/pgbouncer.ts';

// npm run drill -- pgbouncer [seconds]: runs two servers and two workers behind PgBouncer in transaction
// mode, with fewer connections than one process would open. Then PostgreSQL ends all sessions.
const [seconds = 30] = process.argv.slice(2).map(Number);
/** Connections of the pooler. Each of the four processes would open more than twenty. */
const CONNECTIONS = 8;

if (PGBOUNCER === undefined) {
  notRun('pgbouncer is not installed and could not be installed.');
} else {
  const lab = await startLab();
  const pooler = await startPgBouncer(lab.url, CONNECTIONS);
  try {
    const settings = { DATABASE_URL: pooler.url(lab.url), DATABASE_DIRECT_URL: lab.url };
    await withDrilledService({ lab, settings }, async (service) => {
      const { stage, servers } = service;
      const urls = () => servers.map(({ url }) => url);
      const writers = startWriters(stage, urls, { writers: 8 });
      const refreshers = startRefreshers(stage, urls);
      await until('changes are made', () => writers.requested.filter(isAcknowledged).length > 20);
      const [began, first] = [performance.now(), writers.requested.length];
      await sleep(seconds * 1_000);
      const calm = [...writers.requested];
      const rate = (calm.length - first) / ((performance.now() - began) / 1_000);
      await endSessions(lab.url);
      const cutAt = machineMs();
      const again = await until('changes are made again', () =>
        writers.requested.find((each) => isAcknowledged(each) && each.beganAt > cutAt),
      );
      const againMs = again.answeredAt - cutAt;
      const requested = await writers.stop();
      const statuses = await refreshers.stop();
      const { expected, twice } = await judgeChanges(service, requested);
      judgeRefreshes(statuses);

      figure(
        `${CONNECTIONS} connections for 4 processes: ${rate.toFixed(0)} changes a second over ${seconds} s`,
      );
      figure(
        `changes again ${againMs.toFixed(0)} ms after all sessions were ended (${countStatuses(requested)})`,
      );
      figure(`${expected} deliveries, ${twice} sent twice`);
      judge(`every change before that succeeded (${countStatuses(calm)})`, calm.every(isAcknowledged));
    });
  } finally {
    await pooler.stop();
    await lab.stop();
  }
}
