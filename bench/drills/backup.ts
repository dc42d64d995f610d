import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkChanges, checkDeliveries, untilMailed } from '#bench/drills/check-changes.ts';
import { copyCluster } from '#bench/drills/copy-cluster.ts';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge } from '#bench/drills/judge.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { startLab } from '#bench/lab/lab.ts';
import { LAB_DIR, startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { dataDirOf } from '#server/core/project.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// npm run drill -- backup [seconds]: takes a base backup during changes and deliveries. Then kills all
// processes and the database, restores the backup into a new cluster, and continues there.
const [seconds = 5] = process.argv.slice(2).map(Number);
const restoredHome = join(dataDirOf(process.env), 'drill-restored-postgres');

// Retain the WAL written since the backup started, as an archive would.
const lab = await startLab({ wal_keep_size: '1GB' });
let restored: Awaited<ReturnType<typeof startLabPostgres>> | undefined;
try {
  await withDrilledService({ lab }, async (service) => {
    const { stage, servers, workers, sink, startServer, startWorker } = service;
    const writers = startWriters(stage, () => servers.map(({ url }) => url));
    await until('changes are accepted', () => writers.requested.filter(isAcknowledged).length > 50);
    const began = performance.now();
    const endedAt = await copyCluster(lab, LAB_DIR, restoredHome);
    const tookMs = performance.now() - began;
    await sleep(seconds * 1_000);
    const requested = await writers.stop();
    await Promise.all([...servers, ...workers].map((each) => each.kill()));
    await closeDatabase();
    await lab.control.stop('immediate');

    restored = await startLabPostgres({ max_connections: 200 }, restoredHome);
    const DATABASE_URL = restored.url('engine');
    setTestSettings({ DATABASE_URL, HOOKS_CONNECT_TO: sink.connectTo, HOOKS_CA_FILE: sink.caFile });
    const held = await pool().query<{ events: number; left: number }>(
      `select (select count(*) from events where workspace_id = $1)::int as events,
         (select count(*) from events_to_fan_out)::int
           + (select count(*) from deliveries where ended_at is null)::int as left`,
      [stage.workspaceId],
    );
    const { events = 0, left = 0 } = held.rows[0] ?? {};
    const server = await startServer({ DATABASE_URL });
    await startWorker({ DATABASE_URL });
    const going = startWriters(stage, () => [server.url]);
    await until('changes are accepted', () => going.requested.length >= 50);
    const later = await going.stop();
    const deliveries = await checkDeliveries(service);
    await untilMailed(stage.workspaceId);
    const before = requested.filter(({ answeredAt }) => answeredAt < endedAt);
    const heldOf = await checkChanges(stage.workspaceId, before);
    const all = await checkChanges(stage.workspaceId, [...requested, ...later]);

    figure(
      `the backup took ${tookMs.toFixed(0)} ms, with ${requested.length} changes (${countStatuses(requested)})`,
    );
    figure(`the backup contained ${events} events; ${left} were not yet sent or fanned out`);
    figure(`${deliveries.expected} deliveries, ${deliveries.twice} sent twice: their results were lost`);
    judge(
      `${heldOf.lost.length} of ${before.length} changes from before the end of the backup were lost`,
      heldOf.lost.length === 0,
    );
    judge(`${all.half.length} incomplete changes ${all.half.slice(0, 3).join('; ')}`, all.half.length === 0);
    judge(`${deliveries.missing} deliveries were lost`, deliveries.missing === 0);
    judge(`new changes are accepted (${countStatuses(later)})`, later.every(isAcknowledged));
  });
} finally {
  await closeDatabase();
  await restored?.stop();
  await lab.stop();
  await rm(restoredHome, { recursive: true, force: true });
}
