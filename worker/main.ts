import { closeDatabase } from '#server/db.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { endOnSignals, failStart, isEnding } from '#server/process.ts';
import { startWorker } from '#worker/start-worker.ts';

/** A worker that is stuck cannot go on: whoever started the process starts another. */
function endStuck(): void {
  if (isEnding()) return;
  log().fatal('worker.stuck');
  process.exit(1);
}

try {
  settings();
  const worker = await startWorker(endStuck);
  endOnSignals(async () => {
    await worker.stop();
    await closeDatabase();
  });
  log().info({ concurrency: settings().WORKER_CONCURRENCY }, 'worker.ready');
  process.send?.('ready');
} catch (error) {
  failStart(error);
}
