import { setImmediate as nextTurn } from 'node:timers/promises';
import DataLoader from 'dataloader';

/** Upper bound on a batch: further requests are sent as another one, so that the first does not wait for all. */
const BATCH_MAX = 100;

/**
 * Batches the requests of one turn of the event loop. A busy process sends few statements, and a request in an idle process
 * does not wait.
 * @param runAll returns the results in the order of the requests; when it rejects, all of them do
 */
export function batchPerTurn<Request, Result>(
  runAll: (requests: readonly Request[]) => Promise<Result[]>,
): (request: Request) => Promise<Result> {
  const options = { cache: false, maxBatchSize: BATCH_MAX, batchScheduleFn: setImmediate };
  const loader = new DataLoader(runAll, options);
  return (request) => loader.load(request);
}

/**
 * Batches requests, one batch at a time: those that arrive while a batch runs share the next one. Batches grow with the load, and
 * no request waits for a timer.
 * @param runAll as in `batchPerTurn`
 * @param max maximum number of requests of a batch
 */
export function batchOneAtATime<Request, Result>(
  runAll: (requests: readonly Request[]) => Promise<Result[]>,
  max: number,
): (request: Request) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let scheduled: Promise<void> = Promise.resolve();
  const run = (requests: readonly Request[]) => {
    const results = runAll(requests);
    running = results.catch(() => undefined);
    return results;
  };
  const batchScheduleFn = (send: () => void) => {
    scheduled = scheduled.then(async () => {
      await running;
      await nextTurn();
      send();
    });
  };
  const loader = new DataLoader(run, { cache: false, maxBatchSize: max, batchScheduleFn });
  return (request) => loader.load(request);
}
