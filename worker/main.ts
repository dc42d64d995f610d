import { closeDatabase } from '#server/db.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { endOnSignals, failStart, isEnding } from '#server/process.ts';
import { startWorker } from '#worker/start-worker.ts';

/** A worker that ended on its own cannot go on: whoever started the process starts another. */
function die(error: unknown): void {
  if (isEnding()) return;
  log().fatal({ err: error }, 'worker.died');
  process.exit(1);
}

try {
  settings();
  const worker = await startWorker();
  endOnSignals(async () => {
    await worker.stop();
    await closeDatabase();
  });
  log().info({ concurrency: settings().WORKER_CONCURRENCY }, 'worker.ready');
  process.send?.('ready');
  worker.ended.then(
    () => die(new Error('The worker ended unasked.')),
    (error: unknown) => die(error),
  );
} catch (error) {
  failStart(error);
}
