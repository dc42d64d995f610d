import { until } from '#test/fixtures/until.ts';
import type { WorkerProcess } from '#test/servers/service-processes.ts';

/** Share of the deliveries during which workers are killed: the last ones find workers that live. */
const SHARE = 0.85;

/**
 * Kills a random worker (SIGKILL) at random times during deliveries, and starts another in its place.
 * @param workers running workers, which are replaced in this array
 * @param arrived returns the number of deliveries that have arrived
 */
export async function killWorkers<Worker extends WorkerProcess>(
  workers: Worker[],
  given: {
    kills: number;
    deliveries: number;
    random: () => number;
    arrived: () => number | Promise<number>;
    startWorker: () => Promise<Worker>;
  },
): Promise<void> {
  const { kills, deliveries, random, arrived, startWorker } = given;
  const points = Array.from({ length: kills }, () => random() * SHARE * deliveries).toSorted((a, b) => a - b);
  for (const point of points) {
    await until('enough deliveries have arrived', async () => (await arrived()) > point);
    const [victim] = workers.splice(Math.floor(random() * workers.length), 1);
    await victim?.kill();
    workers.push(await startWorker());
  }
}
