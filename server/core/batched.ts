import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Serves requests in batches, one batch at a time: requests of one turn of the event loop together, and requests that arrive during a
 * run with the next one. Batches grow with the load, and no request waits for a timer.
 * @param run serves requests in the order of arrival, and returns a result for each. When `run` rejects, all of its requests do.
 * @param max maximum number of requests per run
 * @returns a function that resolves with a request's result
 */
export function batched<Request, Result>(
  run: (requests: Request[]) => Promise<Map<Request, Result>>,
  max: number,
): (request: Request) => Promise<Result> {
  const waiting: { request: Request; pending: PromiseWithResolvers<Result> }[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, max);
      try {
        const results = await run(batch.map(({ request }) => request));
        for (const { request, pending } of batch) pending.resolve(results.get(request) as Result);
      } catch (error) {
        for (const { pending } of batch) pending.reject(error);
      }
      await nextTurn();
    }
    isRunning = false;
  }

  return (request) => {
    const pending = Promise.withResolvers<Result>();
    waiting.push({ request, pending });
    if (!isRunning) void runAll();
    return pending.promise;
  };
}
