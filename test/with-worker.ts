import { startWorker } from '#worker/start-worker.ts';

/** Runs `work` while a worker works off jobs. */
export async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const worker = await startWorker();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}
