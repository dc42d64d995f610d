import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Serves requests in batches, one batch at a time: requests of one turn of the event loop together, and requests that arrive during a
 * run with the next one. Batches grow with the load, and no request waits for a timer.
 * @param run serves requests in the order of arrival. A request without a result waits for the next run, which another request or
 *   `retry` starts. When `run` rejects, all of its requests do.
 * @param max maximum number of requests per run
 */
export function batched<Request, Result>(
  run: (requests: Request[]) => Promise<Map<Request, Result>>,
  max = Number.POSITIVE_INFINITY,
) {
  const waiting = new Map<Request, PromiseWithResolvers<Result>>();
  let isRunning = false;
  let isDue = false;

  function retry(): void {
    isDue = true;
    if (!isRunning) void runAll();
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    while (isDue) {
      await nextTurn();
      isDue = waiting.size > max;
      const requests = [...waiting.keys()].slice(0, max);
      if (requests.length === 0) continue;
      try {
        for (const [request, result] of await run(requests)) settle(request)?.resolve(result);
      } catch (error) {
        for (const request of requests) settle(request)?.reject(error);
      }
    }
    isRunning = false;
  }

  function settle(request: Request): PromiseWithResolvers<Result> | undefined {
    const pending = waiting.get(request);
    waiting.delete(request);
    return pending;
  }

  return {
    /** Resolves with the request's result. A request that is already waiting is served once. */
    request(request: Request): Promise<Result> {
      const pending = waiting.get(request) ?? Promise.withResolvers<Result>();
      waiting.set(request, pending);
      retry();
      return pending.promise;
    },
    /** Runs the waiting requests again. */
    retry,
    /** Resolves a waiting request with this result. Must not be called while a run is about to resolve it. */
    withdraw: (request: Request, result: Result): void => settle(request)?.resolve(result),
  };
}
