import { setTimeout as sleep } from 'node:timers/promises';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge } from '#bench/drills/judge.ts';
import { judgeChanges } from '#bench/drills/judge-changes.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { chosenSeed, seededRandom } from '#test/fixtures/seeded-random.ts';
import { until } from '#test/fixtures/until.ts';

// npm run drill -- server-kill [kills]: kills (SIGKILL) and replaces one of two servers repeatedly during
// changes. Each change must be complete, with its events and jobs, or absent.
const [kills = 20] = process.argv.slice(2).map(Number);
const WRITERS = 8;
/** Maximum pause between two kills, in ms. */
const PAUSE_MS = 1_000;
/** Maximum duration: replacing a server is slow on a busy machine. */
const MOST_MS = 90_000;

const seed = chosenSeed();
const random = seededRandom(seed);

await withDrilledService({ workers: 1 }, async (service) => {
  const { stage, servers, startServer } = service;
  const writers = startWriters(stage, () => servers.map(({ url }) => url), { writers: WRITERS, pauseMs: 0 });
  await until('changes are made', () => writers.requested.filter(isAcknowledged).length > 20);
  const deadline = performance.now() + MOST_MS;
  let killed = 0;
  for (; killed < kills && performance.now() < deadline; killed += 1) {
    await sleep(random() * PAUSE_MS);
    // Clients notice on their next request, as behind a load balancer before its next health check.
    const victim = servers[Math.floor(random() * servers.length)];
    await victim?.kill();
    servers.splice(0, servers.length, ...servers.filter((each) => each !== victim), await startServer());
  }
  const requested = await writers.stop();
  const { complete, expected } = await judgeChanges(service, requested);

  const brokenOff = requested.filter(({ status }) => status === 'broken off');
  const unclear = requested.filter(({ status, isClear }) => status !== 'broken off' && !isClear);
  figure(
    `${killed} servers killed (seed ${seed}) during ${requested.length} changes (${countStatuses(requested)}), ${complete} made: ` +
      `${brokenOff.length} got no response; ${expected} deliveries`,
  );
  judge(`${unclear.length} responses that were neither the change nor an error`, unclear.length === 0);
  const refused = requested.filter(({ status }) => status !== 'broken off' && status >= 300);
  judge(`${refused.length} changes refused by running servers`, refused.length === 0);
});
