import { setTimeout as sleep } from 'node:timers/promises';
import { checkDeliveries } from '#bench/drills/check-changes.ts';
import { type DrilledService, withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge } from '#bench/drills/judge.ts';
import { judgeChanges, judgeRefreshes } from '#bench/drills/judge-changes.ts';
import { startRefreshers } from '#bench/drills/refreshers.ts';
import { countStatuses, isAcknowledged, type RequestedChange, startWriters } from '#bench/drills/writers.ts';
import { machineMs, percentile } from '#bench/lab/clock.ts';
import { pool } from '#server/core/database/pools.ts';
import { type DatabaseFault, interruptDatabase } from '#test/faults/interrupt-database.ts';
import { until } from '#test/fixtures/until.ts';

// npm run drill -- database [seconds]: PostgreSQL ends all sessions, restarts, or crashes and recovers, two
// seconds after each recovery. During the faults, two servers accept changes and refresh tokens, and two workers
// deliver.
const [seconds = 30] = process.argv.slice(2).map(Number);
const EVERY_MS = 2_000;
const PICK_UP_MS = 1_000;
const WARM = 100;
/** Length of the control measurement before the first fault, in ms. */
const CALM_MS = 3_000;
/** Slower than the workers, even on a busy machine, so that a new event never waits behind earlier ones. */
const PACE = { writers: 2, pauseMs: 150 };
/** Maximum duration of a graceful shutdown of a worker, in ms. */
const END_MS = 25_000;

/** Faults in rotation. Ended sessions are the most frequent, as in a failover of a managed database. */
const FAULTS: DatabaseFault[] = ['sessions', 'restart', 'sessions', 'crash', 'sessions'];

await withDrilledService({ hooks: 2 }, async (service) => {
  const { stage, servers } = service;
  const urls = () => servers.map(({ url }) => url);
  const writers = startWriters(stage, urls, PACE);
  const refreshers = startRefreshers(stage, urls);
  // Newly started processes are slow even without a fault, until their initial backlog is gone.
  await until('deliveries arrive without delay', async () => {
    const { rows } = await pool().query<{ late: boolean }>(
      `select exists (select from deliveries where ended_at is null and created_at < now() - interval '1 second') as late`,
    );
    return rows[0]?.late === false && (await service.sink.report()).arrivals.length > WARM;
  });
  const calmUntil = machineMs();
  const returns: { fault: DatabaseFault; at: number }[] = [];
  const deadline = performance.now() + seconds * 1_000;
  for (let number = 0; performance.now() < deadline; number += 1) {
    const fault = FAULTS[number % FAULTS.length] ?? 'sessions';
    returns.push({ fault, at: await interruptDatabase(fault, service.lab) });
    await sleep(EVERY_MS);
  }
  const requested = await writers.stop();
  const statuses = await refreshers.stop();
  const { complete, twice, unsent, expected } = await judgeChanges(service, requested);
  judgeRefreshes(statuses);
  const { calmMs, ...pickedUp } = await pickUps(service, { calmUntil, returns, requested });

  figure(`${returns.length} faults in ${seconds} s: ${returns.map(({ fault }) => fault).join(', ')}`);
  figure(`${requested.length} changes requested (${countStatuses(requested)}), ${complete} completed`);
  figure(
    `${expected} deliveries, ${twice} sent twice; ${unsent} mails given up, as it was unknown whether they were sent`,
  );
  figure(
    `in the seconds before the first fault an event arrived ${calmMs.toFixed(0)} ms after its change (p95)`,
  );
  // Subtract the delay that this machine has without a fault.
  const atMost = PICK_UP_MS + calmMs;
  for (const [what, times] of Object.entries(pickedUp)) {
    const most = Math.max(...times);
    judge(
      `${what} ${most.toFixed(0)} ms after the database recovered, at most ${atMost.toFixed(0)} (${times.map((each) => each.toFixed(0)).join(', ')})`,
      most <= atMost,
    );
  }
  await judgeProcesses(service);
});

/** Returns the time from each recovery to the first successful change and to the first delivery, in ms. */
async function pickUps(
  { sink }: DrilledService,
  {
    calmUntil,
    returns,
    requested,
  }: { calmUntil: number; returns: { at: number }[]; requested: RequestedChange[] },
) {
  const { rows } = await pool().query<{ id: string; mark: string }>(
    `select id, mark from events, unnest(filter_values) mark where mark like 'drill-%'`,
  );
  const marks = new Map(rows.map(({ id, mark }) => [id, mark]));
  const changes = new Map(requested.map((each) => [each.mark, each]));
  const { arrivals } = await sink.report();
  const calm = arrivals.flatMap(({ id, at }) => {
    const change = changes.get(marks.get(id) ?? '');
    return change && at > calmUntil - CALM_MS && at < calmUntil ? [at - change.answeredAt] : [];
  });
  const first = (times: number[], since: number) => Math.min(...times.filter((at) => at >= since)) - since;
  return {
    calmMs: percentile(calm, 0.95),
    'a change was made': returns.map(({ at }) => {
      const since = requested.filter((each) => isAcknowledged(each) && each.beganAt >= at);
      return first(
        since.map(({ answeredAt }) => answeredAt),
        at,
      );
    }),
    'a new event arrived': returns.map(({ at }) => {
      const since = arrivals.filter(({ id }) => (changes.get(marks.get(id) ?? '')?.beganAt ?? 0) >= at);
      return first(
        since.map((arrival) => arrival.at),
        at,
      );
    }),
  };
}

/**
 * Checks that each process still works: each server responds, one worker shuts down gracefully, and the other
 * one delivers.
 */
async function judgeProcesses(service: DrilledService): Promise<void> {
  const { servers, workers, stage } = service;
  for (const { url } of servers) {
    const writers = startWriters(stage, () => [url], { writers: 1 });
    await until('changes are made', () => writers.requested.length >= 5);
    const requested = await writers.stop();
    judge(`a server continues (${countStatuses(requested)})`, requested.every(isAcknowledged));
  }
  const [first, second] = workers;
  if (!first || !second) throw new Error('There are no two workers.');
  judge('no worker has ended', !first.hasEnded() && !second.hasEnded());
  const inTime = new Promise<'late'>((resolve) => setTimeout(resolve, END_MS, 'late').unref());
  const code = await Promise.race([first.stop(), inTime]);
  judge(`a worker shuts down gracefully (${code})`, code === 0);
  const writers = startWriters(stage, () => servers.map(({ url }) => url));
  await until('changes are made', () => writers.requested.length >= 20);
  await writers.stop();
  const { missing } = await checkDeliveries(service);
  judge(`the remaining worker delivers (${missing} missing)`, missing === 0);
}
