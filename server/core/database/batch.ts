/** Upper bound on a batch: further requests are sent as another one, so that the first does not wait for all. */
const BATCH_MAX = 100;

type Waiting<Request, Result> = PromiseWithResolvers<Result> & { request: Request };

/**
 * Batches the requests of one turn of the event loop. A busy process sends few statements, and a request in an idle process
 * does not wait.
 * @param runAll returns the results in the order of the requests; when it rejects, all of them do
 */
export function batchPerTurn<Request, Result>(
  runAll: (requests: Request[]) => Promise<Result[]>,
): (request: Request) => Promise<Result> {
  let waiting: Waiting<Request, Result>[] = [];
  const send = async () => {
    // A full batch has been sent already.
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    try {
      const results = await runAll(batch.map(({ request }) => request));
      for (const [n, { resolve }] of batch.entries()) resolve(results[n] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (request) => {
    const result = Promise.withResolvers<Result>();
    if (waiting.length === 0) setImmediate(() => void send());
    waiting.push({ request, ...result });
    if (waiting.length === BATCH_MAX) void send();
    return result.promise;
  };
}
