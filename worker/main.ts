import { closeDatabase } from '#server/db.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { endOnSignals, failStart } from '#server/process.ts';
import { startWorker } from '#worker/start-worker.ts';

try {
  settings();
  const worker = await startWorker();
  endOnSignals(async () => {
    await worker.stop();
    await closeDatabase();
  });
  log().info({ concurrency: settings().WORKER_CONCURRENCY }, 'worker.ready');
  process.send?.('ready');
  worker.ended.catch((error: unknown) => failStart(error));
} catch (error) {
  failStart(error);
}
