import { closeDatabase } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { flushPublished } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { logConsole } from '#server/core/log-console.ts';
import { endOnSignals, failStart, isEnding, keepHeapSmall } from '#server/core/process.ts';
import { startTracing, stopTracing } from '#server/core/tracing/tracing.ts';
import { startMetricsServer, withDatabase } from '#server/http/metrics-server.ts';
import { requireSecretsKey } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { startWorker } from '#worker/start-worker.ts';

/**
 * Growth of the heap before a full collection, in percent. The servers' value, 30, would reduce deliveries per
 * second.
 */
const HEAP_GROWTH = 100;

/** Exits when the worker is stuck, so that its supervisor starts another one. */
function endStuck(): void {
  if (isEnding()) return;
  log().fatal('worker.stuck');
  process.exit(1);
}

try {
  const { METRICS_PORT, METRICS_HOST, WORKER_CONCURRENCY } = settings();
  logConsole();
  await startTracing('worker');
  await requireSecretsKey();
  const worker = await startWorker(endStuck);
  keepHeapSmall(HEAP_GROWTH);
  const metrics =
    METRICS_PORT === undefined
      ? undefined
      : await startMetricsServer({
          port: METRICS_PORT,
          host: METRICS_HOST,
          health: () => withDatabase(worker.health()),
        });
  endOnSignals(async () => {
    await worker.stop();
    await flushPublished();
    await metrics?.stop();
    await closeDatabase();
    await stopTracing();
  });
  log().info({ concurrency: WORKER_CONCURRENCY }, 'worker.ready');
  process.send?.('ready');
} catch (error) {
  failStart(error);
}
