import { setTimeout as sleep } from 'node:timers/promises';
import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import {
  attemptDelivery,
  type SendingWorker,
} from '#server/automation/deliveries/dispatch/attempt-delivery.ts';
import {
  cancelDeliveries,
  type DueDelivery,
  type DueHook,
  type ReleasedHook,
} from '#server/automation/deliveries/dispatch/hook-queue.ts';
import {
  addDue,
  type Claim,
  isHanging,
  nextStep,
  STARVED_MS,
} from '#server/automation/deliveries/dispatch/next-step.ts';
import { hookLimits } from '#server/automation/deliveries/dispatch/pace.ts';
import type { SharedReads } from '#server/automation/deliveries/dispatch/share-reads.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { isAdmin } from '#server/teammates/roles.ts';

export type ServingWorker = SendingWorker & {
  /** Returns whether the lease is certainly still held. */
  mayStart: () => boolean;
  isStopping: () => boolean;
  reads: SharedReads;
  /** Resolves with null when the hook stays claimed. Never rejects. */
  release: (claim: Claim) => Promise<ReleasedHook | null>;
  /** Returns the number of a connection's hooks that the worker serves. */
  countServed: (connectionId: string) => number;
  /** Called when a released hook is due again. */
  onDue: () => void;
};

/**
 * Serves a hook until it is released or the claim is lost: reads due deliveries and starts their attempts.
 * Never rejects.
 * @param fanned the delivery of a fan-out that claimed the hook
 */
export async function serveHook(worker: ServingWorker, claim: Claim, fanned?: DueHook): Promise<void> {
  const { hook } = claim;
  let fresh = fanned;
  while (hook.claim === claim) {
    const step = nextStep(hook, {
      mayStart: worker.mayStart(),
      stopping: worker.isStopping(),
      inFlightMax: hookLimits().inFlight,
      now: performance.now(),
    });
    if (step === 'read') await read(worker, claim, fresh);
    else if (step === 'release') await release(worker, claim);
    fresh = step === 'wait' ? await claim.woken() : undefined;
  }
}

/** @param fanned replaces the read if it shows all deliveries of the hook that are due */
async function read(worker: ServingWorker, claim: Claim, fanned: DueHook | undefined): Promise<void> {
  const { hook } = claim;
  const found =
    fanned && worker.reads.isReplacedBy(claim, fanned) ? fanned : await worker.reads.request(claim);
  if (hook.claim !== claim || found === 'withdrawn') return;
  if (found === 'failed') {
    hook.due = 'changed';
    await claim.woken();
    return;
  }
  if (found === 'lost') {
    // If the hook was claimed again since the read started, the next read finds it.
    if (hook.due === 'none') hook.claim = null;
    return;
  }
  learn(worker, claim, found);
  if (!found.isLive || !found.role || !isAdmin(found.role)) await end(claim, found);
  else start(worker, claim, found);
}

function learn({ countServed, pace, room }: ServingWorker, claim: Claim, found: DueHook): void {
  const { hook } = claim;
  claim.wakes = found.wakes;
  hook.connectionId = found.connectionId;
  room.setSlow(hook, found.slow || (hook.slow && isHanging(hook, performance.now())));
  const isShared = found.sharedFor !== null;
  const share = isShared ? Math.min(1, countServed(found.connectionId) / Math.max(1, found.sharers)) : 1;
  pace.learn(found, { ...found, share });
}

/** Starts the deliveries that were read, as far as the pace allows. */
function start(worker: ServingWorker, { hook }: Claim, found: DueHook): void {
  const { waitMs, together } = worker.pace.next(found);
  const mayStart = worker.mayStart() && !worker.isStopping() && waitMs <= 0;
  const starting: DueDelivery[] = mayStart ? found.due.slice(0, together) : [];
  if (found.more || starting.length < found.due.length) addDue(hook);
  worker.pace.started(found, starting.length);
  for (const due of starting) void attemptDelivery(worker, hook, found, due);
}

/**
 * Cancels the deliveries of a removed hook, or ends the connection of a teammate who may no longer connect.
 * After a failure the hook is read again.
 */
async function end({ hook }: Claim, found: DueHook): Promise<void> {
  try {
    if (!found.isLive) return await cancelDeliveries(hook.hookId, [...hook.inFlight.keys()]);
    const { connectionId: id, workspaceId, userId } = found;
    await inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
    addDue(hook);
  } catch (error) {
    log().warn({ err: error, hookId: hook.hookId }, 'hook.not_ended');
    await sleep(STARVED_MS, undefined, { ref: false });
    hook.due = 'changed';
  }
}

/** Releases a hook. A hook that got more deliveries since its last read stays claimed and is read again. */
async function release(worker: ServingWorker, claim: Claim): Promise<void> {
  const { hook } = claim;
  const isStarved = hook.due !== 'none';
  hook.due = 'none';
  const released = await worker.release(claim);
  if (hook.claim !== claim) return;
  if (!released) hook.due = 'changed';
  // Otherwise a fan-out claimed the hook again before this response arrived.
  if (hook.due !== 'none') return;
  hook.claim = null;
  const dueInMs = released?.dueInMs ?? null;
  if (isStarved || (dueInMs !== null && dueInMs < STARVED_MS)) {
    setTimeout(worker.onDue, Math.max(0, dueInMs ?? 0)).unref();
  }
}
