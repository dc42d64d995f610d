import { until } from '#test/fixtures/until.ts';
import type { WorkerProcess } from '#test/servers/service-processes.ts';

/** Share of the deliveries during which workers are killed: the last ones find workers that live. */
const SHARE = 0.85;

/**
 * Kills a random worker (SIGKILL) at random times during deliveries, and starts another in its place.
 * @param workers running workers, which are replaced in this array
 * @param arrived returns the number of deliveries that have arrived
 * @param isBusy limits the choice to workers for which it is true; waits until there is one
 * @param onKill runs after each kill, before the next worker starts
 */
export async function killWorkers<Worker extends WorkerProcess>(
  workers: Worker[],
  given: {
    kills: number;
    deliveries: number;
    random: () => number;
    arrived: () => number | Promise<number>;
    startWorker: () => Promise<Worker>;
    isBusy?: (worker: Worker) => Promise<boolean>;
    onKill?: (killed: Worker) => Promise<void>;
  },
): Promise<void> {
  const { kills, deliveries, random, arrived, startWorker, onKill, isBusy = async () => true } = given;
  const points = Array.from({ length: kills }, () => random() * SHARE * deliveries).toSorted((a, b) => a - b);
  for (const point of points) {
    await until('enough deliveries have arrived', async () => (await arrived()) > point);
    const victim = await until('a worker is busy', async () => {
      const checks = await Promise.all(workers.map(isBusy));
      const busy = workers.filter((_, place) => checks[place]);
      return busy[Math.floor(random() * busy.length)];
    });
    workers.splice(workers.indexOf(victim), 1);
    await victim.kill();
    await onKill?.(victim);
    workers.push(await startWorker());
  }
}
