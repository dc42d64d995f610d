import { figure, judge } from '#bench/drills/judge.ts';
import { makeStage, startChanging, untilRecorded, withEngine } from '#bench/lab/engine.ts';
import { pool } from '#server/core/database/pools.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';
import { chosenSeed, seededRandom } from '#test/fixtures/seeded-random.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/servers/service-processes.ts';

// npm run drill -- kills [deliveries] [kills]: kills (SIGKILL) and replaces one of two workers repeatedly
// during deliveries. Exits with 1 when a delivery was lost or is recorded wrongly.
const [deliveries = 10_000, kills = 10] = process.argv.slice(2).map(Number);
const HOOKS = 50;
/** Response time of a realistic receiver, in ms. Requests in flight when a worker dies are sent again. */
const RESPONDS_IN_MS = 50;
/** Share of the deliveries during which workers are killed: nothing is killed during the last ones. */
const SHARE = 0.85;
const TIMEOUT_MS = 5 * 60_000;

const seed = chosenSeed();
const random = seededRandom(seed);
const startWorker = () => startWorkerProcess({ LOG_LEVEL: 'error' });

await withEngine(async ({ sink }) => {
  const stage = await makeStage(hookPaths(HOOKS));
  const workers: WorkerProcess[] = [await startWorker(), await startWorker()];
  await using load = await startChanging(stage);
  await sink.reset(deliveries, { respondsInMs: RESPONDS_IN_MS });
  const changed = load.run({ changes: deliveries / HOOKS });
  const arrived = async () => (await sink.report()).arrivals.length;
  await killWorkers(workers, arrived);
  const { beganAt } = await changed;
  await sink.complete(TIMEOUT_MS);
  const endedAt = await untilRecorded(stage.hookIds, TIMEOUT_MS);
  const { requests, arrivals } = await sink.report();
  const { rows } = await pool().query<{ delivered: number; attempts: number }>(
    `select count(*) filter (where outcome = 'delivered')::int as delivered, sum(attempts)::int as attempts
     from deliveries where hook_id = any ($1::uuid[])`,
    [stage.hookIds],
  );
  const { delivered = 0, attempts = 0 } = rows[0] ?? {};
  await Promise.all(workers.map((worker) => worker.kill()));
  figure(
    `${kills} workers killed during ${deliveries} deliveries (seed ${seed}): ${requests - arrivals.length} sent twice, ` +
      `${attempts} attempts recorded, ${((endedAt - beganAt) / 1_000).toFixed(1)} s.`,
  );
  judge(`${deliveries - arrivals.length} deliveries lost of ${deliveries}`, arrivals.length === deliveries);
  judge(`${delivered} of ${deliveries} recorded as delivered`, delivered === deliveries);
});

/**
 * Kills a random worker at random times during deliveries, and starts another in its place.
 * @param workers running workers, which are replaced in this array
 * @param arrived returns the number of deliveries that have arrived
 */
async function killWorkers(workers: WorkerProcess[], arrived: () => Promise<number>): Promise<void> {
  const points = Array.from({ length: kills }, () => random() * SHARE * deliveries).toSorted((a, b) => a - b);
  for (const point of points) {
    await until('enough deliveries have arrived', async () => (await arrived()) > point);
    const [victim] = workers.splice(Math.floor(random() * workers.length), 1);
    await victim?.kill();
    workers.push(await startWorker());
  }
}
