import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { countEvents } from '#server/automation/deliveries/delivery-metrics.ts';
import { makeDeliveryWorker } from '#server/automation/deliveries/dispatch/delivery-worker.ts';
import { claimHooks } from '#server/automation/deliveries/dispatch/hook-queue.ts';
import type { Room } from '#server/automation/deliveries/dispatch/next-step.ts';
import { FAN_OUT_MAX, type FannedOut, fanOut } from '#server/automation/deliveries/fan-out.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';
import { listenToDatabase } from '#server/core/live/listen-to-database.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';
import type { Leases } from '#worker/leases.ts';

/**
 * Interval at which each hook decides again, in ms. Due hooks and queued events are polled every `POLL_TICKS`
 * ticks.
 */
const TICK_MS = 250;
const POLL_TICKS = 4;
const LEASE_PAUSE_MS = 250;
/** Pause before failed work is retried while the lease is certain, in ms. */
const RETRY_MS = 100;
/** Time for attempts in flight after the worker stops, longer than an attempt, in ms. */
const STOP_MS = 19_000;

const PARTS = ['fast', 'slow'] as const;

export type HookDrain = {
  /** Waits at most 19 s for attempts in flight, and releases the hooks. */
  stop(): Promise<void>;
};

/**
 * Fans out events and sends deliveries under a lease of this process until it is stopped. Commits wake it
 * (`wake-workers.ts`). Once a second it polls for due work, and work left by a crash.
 * @throws when the database is unreachable
 */
export async function drainHooks({
  dispatcher,
  leases,
  room,
  onAttempt,
}: {
  dispatcher: Dispatcher;
  leases: Leases;
  room: Room;
  onAttempt: () => void;
}): Promise<HookDrain> {
  const name = `drain ${crypto.randomUUID()}`;
  let leaseId = '';
  let isHeld = false;
  let stopping = false;
  /** True if hooks may be due that no worker serves. */
  const due = { fast: false, slow: false };
  /** True if events may be waiting for the fan-out. */
  let hasEvents = false;
  const mayStart = () => isHeld && leases.areSure();
  const deliveries = makeDeliveryWorker({
    dispatcher,
    room,
    leaseId: () => leaseId,
    mayStart,
    onAttempt,
    onDue: work,
    onRoom: () => {
      if (due.fast || due.slow) take();
    },
  });

  async function holdLease(): Promise<void> {
    const id = `deliveries-${crypto.randomUUID()}`;
    await leases.hold(id, () => void replaceLease());
    leaseId = id;
    isHeld = true;
  }

  async function replaceLease(): Promise<void> {
    isHeld = false;
    deliveries.lose();
    while (!stopping) {
      try {
        await holdLease();
        return work();
      } catch (error) {
        log().warn({ err: error }, 'worker.deliveries_without_lease');
        await sleep(LEASE_PAUSE_MS);
      }
    }
  }

  /** Fans out events and claims due hooks. A call during a run makes it run once more. */
  function work(): void {
    hasEvents = due.fast = due.slow = true;
    take();
  }

  function fanOutSoon(): void {
    hasEvents = true;
    take();
  }

  function take(): void {
    if (isHeld && !stopping) void runCoalesced(name, claimOrRetry);
  }

  async function claimOrRetry(): Promise<void> {
    try {
      await fanOutEvents();
      await claimDueHooks();
    } catch (error) {
      setTimeout(work, RETRY_MS).unref();
      throw error;
    }
  }

  async function fanOutEvents(): Promise<void> {
    while (hasEvents && mayStart() && !stopping) {
      hasEvents = false;
      const id = leaseId;
      const fanned = await fanOut({ leaseId: id, hooks: deliveries.capacity().fast });
      // Once the lease was replaced, another worker may serve these hooks.
      if (id === leaseId) deliveries.adoptFanned(fanned.hooks);
      if (fanned.unclaimed > 0) due.fast = due.slow = true;
      publishEvents(fanned);
      hasEvents ||= fanned.taken === FAN_OUT_MAX;
    }
  }

  async function claimDueHooks(): Promise<void> {
    const open = deliveries.capacity();
    const limits = { fast: due.fast ? open.fast : 0, slow: due.slow ? open.slow : 0 };
    if (!mayStart() || limits.fast + limits.slow === 0) return;
    // Reset before the query, so that a wake-up during the query counts. A full result means that there may
    // be more.
    for (const part of PARTS) if (limits[part] > 0) due[part] = false;
    const claimed = await claimHooks(leaseId, limits, deliveries.served());
    for (const part of PARTS) {
      const count = claimed.filter(({ slow }) => slow === (part === 'slow')).length;
      if (limits[part] > 0 && count >= limits[part]) due[part] = true;
    }
    deliveries.adopt(claimed);
  }

  await holdLease();
  const listener = listenToDatabase({
    channel: WORK_CHANNEL,
    onPayload: (payload) => {
      if (payload === 'events') fanOutSoon();
      else if (payload === 'hooks') work();
      else deliveries.wake([payload]);
    },
    onListening: work,
  });
  let ticks = 0;
  const tick = () => {
    ticks += 1;
    const polls = ticks % POLL_TICKS === 0;
    deliveries.tick(polls);
    if (polls) work();
  };
  // Nothing starts while a lease cannot be renewed; afterwards poll for work that arrived in the meantime.
  leases.onBack(() => {
    listener.retry();
    deliveries.tick(false);
    work();
  });
  const timer = setInterval(tick, TICK_MS);
  work();

  return {
    stop: async () => {
      stopping = true;
      await Promise.race([deliveries.stop(), sleep(STOP_MS, undefined, { ref: false })]);
      clearInterval(timer);
      listener.close();
      deliveries.lose();
      await leases.release(leaseId).catch((error: unknown) => {
        log().warn({ err: error }, 'worker.deliveries_not_released');
      });
    },
  };
}

function publishEvents({ events }: FannedOut): void {
  for (const { workspaceId, keys } of events) {
    const counts: Record<string, number> = {};
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
    countEvents(counts);
    publish(workspaceId, 'deliveries');
  }
}
