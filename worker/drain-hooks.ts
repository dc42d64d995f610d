import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { countEvents } from '#server/automation/deliveries/delivery-metrics.ts';
import { makeDrainer } from '#server/automation/deliveries/drain/drainer.ts';
import { claimHooks } from '#server/automation/deliveries/drain/drains.ts';
import type { Room } from '#server/automation/deliveries/drain/lane.ts';
import { FAN_OUT_MAX, type FannedOut, fanOut } from '#server/automation/deliveries/fan-out.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';
import { listenToDatabase } from '#server/core/live/listen-to-database.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';
import type { Leases } from '#worker/leases.ts';

/** How often idle hooks are given back; every so many times due hooks and left events are looked for, in milliseconds. */
const TICK_MS = 250;
const LOOK_TICKS = 4;
/** The pause before another lease is asked for, in milliseconds. */
const LEASE_PAUSE_MS = 250;
/** What failed is tried again after so long while the lease is sure, in milliseconds. */
const AGAIN_MS = 100;
/** What is in flight may finish for so long once the worker ends: longer than a delivery, in milliseconds. */
const DRAIN_MS = 19_000;

const PARTS = ['fast', 'slow'] as const;

export type HookDrain = {
  /** Finishes what is in flight, for at most 19 s, and gives the hooks back. */
  stop(): Promise<void>;
};

/**
 * Fans out events and drains hooks under a lease of this process, until it is stopped. It is woken by what is committed
 * (`wakeWorkers`), and once a second it looks for what is due by the clock or was left by a crash.
 * @throws when the database cannot be reached
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
  /** Of which hooks some may be due that no one drains. */
  const due = { fast: false, slow: false };
  /** Events may be there that are not fanned out. */
  let fresh = false;
  const mayStart = () => isHeld && leases.areSure();
  const drainer = makeDrainer({
    dispatcher,
    room,
    id: () => leaseId,
    mayStart,
    onAttempt,
    onDue: work,
    onRoom,
  });

  async function holdLease(): Promise<void> {
    const id = `drainer-${crypto.randomUUID()}`;
    await leases.hold(id, () => void replaceLease());
    leaseId = id;
    isHeld = true;
  }

  async function replaceLease(): Promise<void> {
    isHeld = false;
    drainer.lose();
    while (!stopping) {
      try {
        await holdLease();
        return work();
      } catch (error) {
        log().warn({ err: error }, 'worker.drainer_without_lease');
        await sleep(LEASE_PAUSE_MS);
      }
    }
  }

  /** Takes whatever there is to do; further calls meanwhile have it look once more. */
  function work(): void {
    fresh = due.fast = due.slow = true;
    take();
  }

  function take(): void {
    if (isHeld && !stopping) void runCoalesced(name, tryToTakeWork);
  }

  async function tryToTakeWork(): Promise<void> {
    try {
      await takeWork();
    } catch (error) {
      setTimeout(work, AGAIN_MS).unref();
      throw error;
    }
  }

  async function takeWork(): Promise<void> {
    while (fresh && mayStart() && !stopping) {
      fresh = false;
      const fanned = await fanOut({ drainerId: leaseId, hooks: drainer.capacity().fast });
      drainer.adopt(fanned.hooks.map((hookId) => ({ hookId, slow: false })));
      publishEvents(fanned);
      fresh ||= fanned.taken === FAN_OUT_MAX;
    }
    const open = drainer.capacity();
    const asked = { fast: due.fast ? open.fast : 0, slow: due.slow ? open.slow : 0 };
    if (!mayStart() || asked.fast + asked.slow === 0) return;
    // Before it is asked: what wakes the worker meanwhile counts. As many as asked for mean that there may be more.
    for (const part of PARTS) if (asked[part] > 0) due[part] = false;
    const claimed = await claimHooks(leaseId, asked, drainer.drained());
    for (const part of PARTS) {
      const got = claimed.filter(({ slow }) => slow === (part === 'slow')).length;
      if (asked[part] > 0 && got >= asked[part]) due[part] = true;
    }
    drainer.adopt(claimed);
  }

  function onRoom(): void {
    if (due.fast || due.slow) take();
  }

  await holdLease();
  const listener = listenToDatabase({
    channel: WORK_CHANNEL,
    onPayload: (hookId) => (hookId === '' ? work() : drainer.wake([hookId])),
    onListening: work,
  });
  // Nothing starts on a lease that could not be renewed: what came meanwhile is looked for once it is.
  leases.onBack(() => {
    listener.retry();
    work();
  });
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    const looks = ticks % LOOK_TICKS === 0;
    drainer.tick(looks);
    if (looks) work();
  }, TICK_MS);
  work();

  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      listener.close();
      await Promise.race([drainer.stop(), sleep(DRAIN_MS, undefined, { ref: false })]);
      await leases.release(leaseId).catch((error: unknown) => {
        log().warn({ err: error }, 'worker.drainer_not_released');
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
