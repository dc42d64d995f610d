import { compare } from '#bench/compare.ts';
import { percentile } from '#bench/lab/clock.ts';

/** Calls to measure, by name. */
export type Calls = Record<string, () => Promise<unknown>>;

const CALLS = 40;
const WARM_CALLS = 6;

/**
 * Compares the times of the calls of two sides, a quantile of 40 each. Calls alternate between the sides, so that other load on the
 * machine affects both.
 * @param sides.names of the calls, then of the floor
 * @param sides.atMost target of the ratio
 */
export async function compareCalls(
  benchmark: string,
  rounds: number,
  sides: { calls: Calls; floor: Calls; names: [string, string]; quantile: number; atMost: number },
): Promise<void> {
  const { calls, names, atMost } = sides;
  const [name, floorName] = names;
  // Both sides are measured together; each call of `measure` returns one side's figures.
  const measured: Partial<Record<'calls' | 'floor', Record<string, number>>> = {};
  const measure = (side: 'calls' | 'floor') => async () => {
    if (!measured[side]) Object.assign(measured, await measureBoth(sides));
    const figures = measured[side];
    delete measured[side];
    return figures ?? {};
  };
  const bars = [{ to: floorName, atMost }];
  await compare(benchmark, {
    rounds,
    figures: Object.fromEntries(Object.keys(calls).map((call) => [call, { unit: 'ms', bars }])),
    sides: [
      { name, measure: measure('calls') },
      { name: floorName, measure: measure('floor') },
    ],
  });
}

async function measureBoth({ calls, floor, quantile }: { calls: Calls; floor: Calls; quantile: number }) {
  const figures: Record<'calls' | 'floor', Record<string, number>> = { calls: {}, floor: {} };
  for (const [name, call] of Object.entries(calls)) {
    const ofFloor = floor[name] ?? call;
    const times = { calls: [] as number[], floor: [] as number[] };
    for (let n = 0; n < WARM_CALLS + CALLS; n += 1) {
      const [tookFloor, took] = [await timeOf(ofFloor), await timeOf(call)];
      if (n < WARM_CALLS) continue;
      times.floor.push(tookFloor);
      times.calls.push(took);
    }
    figures.floor[name] = percentile(times.floor, quantile);
    figures.calls[name] = percentile(times.calls, quantile);
  }
  return figures;
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}
