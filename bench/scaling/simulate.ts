import { percentile } from '#bench/lab/clock.ts';
import type { Costs } from '#bench/scaling/costs.ts';
import { type Plan, type Rates, WORKSPACE } from '#bench/scaling/plan.ts';
import { seededRandom } from '#test/fixtures/seeded-random.ts';

export type Simulated = {
  /** Utilization of the processors, 0 to 1. */
  share: { servers: number; workers: number; postgres: number };
  /** 99th percentile from arrival to response, and from change to delivery, in ms. */
  requestMs: number;
  deliveryMs: number;
};

type Task = { readyAt: number; ms: number; isDelivery: boolean; cameAt: number };

/**
 * Simulates seconds of the busiest hour. Requests arrive at random, and wait for a processor of a server and
 * then of PostgreSQL. Changes cause deliveries. Networks and receivers take no time, so the result shows only
 * waiting.
 * @param plan processors and rates
 */
export function simulate(
  { rates, cores }: Pick<Plan, 'rates' | 'cores'>,
  costs: Costs,
  { seconds, seed }: { seconds: number; seed: number },
): Simulated {
  const random = seededRandom(seed);
  const requests: { at: number; kind: Exclude<keyof Rates, 'delivery'> }[] = [];
  for (const kind of ['read', 'search', 'change', 'refresh'] as const) {
    // Random arrivals have exponentially distributed intervals.
    let at = 0;
    for (;;) {
      at += (-Math.log(1 - random()) / rates[kind]) * 1_000;
      if (at >= seconds * 1_000) break;
      requests.push({ at, kind });
    }
  }
  requests.sort((a, b) => a.at - b.at);
  const servers = makeProcessors(cores.servers);
  const workers = makeProcessors(cores.workers);
  const postgres = makeProcessors(cores.postgres);
  const tasks: Task[] = [];
  for (const { at, kind } of requests) {
    const { processMs, postgresMs } = costs[kind];
    const readyAt = servers.run(at, processMs);
    tasks.push({ readyAt, ms: postgresMs, isDelivery: false, cameAt: at });
    if (kind !== 'change') continue;
    const { deliveriesPerChange } = WORKSPACE;
    const whole = Math.floor(deliveriesPerChange);
    const deliveries = whole + (random() < deliveriesPerChange - whole ? 1 : 0);
    const committedAt = readyAt + postgresMs;
    for (let n = 0; n < deliveries; n += 1) {
      tasks.push({
        readyAt: committedAt,
        ms: costs.delivery.postgresMs,
        isDelivery: true,
        cameAt: committedAt,
      });
    }
  }
  const requestTimes: number[] = [];
  const read: { readyAt: number; cameAt: number }[] = [];
  for (const { readyAt, ms, isDelivery, cameAt } of tasks.sort((a, b) => a.readyAt - b.readyAt)) {
    const doneAt = postgres.run(readyAt, ms);
    if (isDelivery) read.push({ readyAt: doneAt, cameAt });
    else requestTimes.push(doneAt - cameAt);
  }
  const deliveryTimes = read
    .sort((a, b) => a.readyAt - b.readyAt)
    .map(({ readyAt, cameAt }) => workers.run(readyAt, costs.delivery.processMs) - cameAt);
  const share = (busyMs: number, count: number) => busyMs / (count * seconds * 1_000);
  return {
    share: {
      servers: share(servers.busyMs(), cores.servers),
      workers: share(workers.busyMs(), cores.workers),
      postgres: share(postgres.busyMs(), cores.postgres),
    },
    requestMs: percentile(requestTimes, 0.99),
    deliveryMs: percentile(deliveryTimes, 0.99),
  };
}

/** Creates processors that run tasks in the order they become ready, each on the first free processor. */
function makeProcessors(count: number) {
  const freeAt = Array.from({ length: count }, () => 0);
  let busy = 0;
  return {
    /** @returns the time when the task is done */
    run(readyAt: number, ms: number): number {
      let first = 0;
      for (let n = 1; n < count; n += 1) if ((freeAt[n] ?? 0) < (freeAt[first] ?? 0)) first = n;
      const doneAt = Math.max(readyAt, freeAt[first] ?? 0) + ms;
      freeAt[first] = doneAt;
      busy += ms;
      return doneAt;
    },
    busyMs: () => busy,
  };
}
