import { Pool } from 'undici';
import { machineMs } from '#bench/lab/clock.ts';
import type { LoadOrder, LoadResult } from '#bench/lab/request-load.ts';

// The load of bench/benchmarks/requests.ts: sends each request once, with a fixed concurrency. Checks every
// response and reports its duration.
process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.send?.('ready');

async function run({ url, requests, concurrency, status, contains }: LoadOrder): Promise<LoadResult> {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  const times: number[] = [];
  let next = 0;
  const one = async () => {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const { method, path, headers, body = null } = request;
      const start = machineMs();
      const response = await pool.request({ method, path, headers, body });
      const text = await response.body.text();
      times.push(machineMs() - start);
      if (response.statusCode !== status || !text.includes(contains)) {
        throw new Error(`${method} ${path} returned ${response.statusCode}: ${text.slice(0, 300)}`);
      }
    }
  };
  const start = machineMs();
  try {
    await Promise.all(Array.from({ length: concurrency }, one));
    return { tookMs: machineMs() - start, times };
  } finally {
    await pool.close();
  }
}
