import { setTimeout as sleep } from 'node:timers/promises';
import { isAcknowledged, type RequestedChange } from '#bench/drills/writers.ts';
import { machineMs, percentile } from '#bench/lab/clock.ts';
import type { Arrival, Sink } from '#bench/lab/sink.ts';
import { pool } from '#server/core/database/pools.ts';
import { deliveryKey } from '#test/faults/delivery-keys.ts';
import type { startReceiver } from '#test/servers/receiver.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Length of the control measurement before the first fault, in ms. */
const CALM_MS = 3_000;

/**
 * Records the arrivals at a receiver, as `startSink` does in a separate process. It responds after a while. `open`: number of
 * requests without a response.
 */
export function recordingSink(
  receiver: Receiver,
  respondsInMs: number,
): Pick<Sink, 'report'> & { open(): number } {
  const arrivals = new Map<string, Arrival>();
  const repeats: Arrival[] = [];
  let [requests, open] = [0, 0];
  receiver.respond(async ({ path, headers }) => {
    const id = String(headers['x-service-delivery']);
    const key = deliveryKey(id, path);
    requests += 1;
    const arrival = { id, path, at: machineMs() };
    if (arrivals.has(key)) repeats.push(arrival);
    else arrivals.set(key, arrival);
    open += 1;
    await sleep(respondsInMs);
    open -= 1;
    return { status: 200 };
  });
  return {
    open: () => open,
    report: async () => ({ requests, refused: 0, arrivals: [...arrivals.values()], repeats, lagMs: 0 }),
  };
}

/**
 * Returns the time from each recovery of the database to the first new change and to its event, in ms. `calmMs`: the time
 * from a change to its event before the first fault (p95).
 * @param returns times of the recoveries
 */
export async function pickUps(
  sink: Pick<Sink, 'report'>,
  { calmUntil, returns, requested }: { calmUntil: number; returns: number[]; requested: RequestedChange[] },
): Promise<{ calmMs: number; changed: number[]; arrived: number[] }> {
  const { rows } = await pool().query<{ id: string; mark: string }>(
    `select id, mark from events, unnest(filter_values) mark where mark like 'drill-%'`,
  );
  const marks = new Map(rows.map(({ id, mark }) => [id, mark]));
  const changes = new Map(requested.map((each) => [each.mark, each]));
  const arrivals = (await sink.report()).arrivals.flatMap(({ id, at }) => {
    const change = changes.get(marks.get(id) ?? '');
    return change ? [{ at, change }] : [];
  });
  const calm = arrivals.filter(({ at }) => at > calmUntil - CALM_MS && at < calmUntil);
  const first = (times: number[], since: number) => Math.min(...times) - since;
  return {
    calmMs: percentile(
      calm.map(({ at, change }) => at - change.answeredAt),
      0.95,
    ),
    changed: returns.map((at) => {
      const since = requested.filter((each) => isAcknowledged(each) && each.beganAt >= at);
      return first(
        since.map(({ answeredAt }) => answeredAt),
        at,
      );
    }),
    arrived: returns.map((at) => {
      const since = arrivals.filter(({ change }) => change.beganAt >= at);
      return first(
        since.map((arrival) => arrival.at),
        at,
      );
    }),
  };
}
