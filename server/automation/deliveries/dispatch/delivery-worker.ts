import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClaimedHook,
  type DueHook,
  type ReleasedHook,
  releaseHooks,
} from '#server/automation/deliveries/dispatch/hook-queue.ts';
import {
  addDue,
  type Claim,
  countSending,
  makeClaim,
  makeRoomCount,
  makeServedHook,
  partOf,
  type Room,
  type ServedHook,
} from '#server/automation/deliveries/dispatch/next-step.ts';
import { makePace } from '#server/automation/deliveries/dispatch/pace.ts';
import { RECORD_MAX, recordBatch } from '#server/automation/deliveries/dispatch/record-attempts.ts';
import { saveNextStarts, shareConnectionPace } from '#server/automation/deliveries/dispatch/save-pace.ts';
import { type ServingWorker, serveHook } from '#server/automation/deliveries/dispatch/serve-hook.ts';
import { shareReads } from '#server/automation/deliveries/dispatch/share-reads.ts';
import { checkBeforeSending } from '#server/automation/deliveries/hook-agent.ts';
import { batched } from '#server/core/batched.ts';
import { log } from '#server/core/log.ts';

type DeliveryWorkerOptions = { room: Room; leaseId: () => string } & Pick<
  ServingWorker,
  'dispatcher' | 'mayStart' | 'onAttempt' | 'onDue' | 'onRoom'
>;

/**
 * Creates a worker that sends the deliveries of the hooks it adopts. Each hook has one loop (`serveHook`).
 * The loops batch their statements and share the worker's room.
 */
export function makeDeliveryWorker(options: DeliveryWorkerOptions) {
  const { leaseId, mayStart } = options;
  const hooks = new Map<string, ServedHook>();
  let stopping = false;

  const room = makeRoomCount(options.room);
  const pace = makePace();
  const isStopping = () => stopping;
  const reads = shareReads({ leaseId, mayStart, isStopping, room, pace, onRoom: options.onRoom });
  const records = batched(recordBatch, RECORD_MAX);
  const releases = batched(release);
  const shares = batched(sharePaces);

  const worker: ServingWorker = {
    ...options,
    dispatcher: checkBeforeSending(options.dispatcher, mayStart),
    isStopping,
    room,
    pace,
    reads,
    record: records.request,
    release: releases.request,
    sharePace: shares.request,
    countServed: (connectionId) => served().filter((hook) => hook.connectionId === connectionId).length,
    onRoom,
  };

  const served = () => [...hooks.values()].filter(({ claim }) => claim !== null);

  function onRoom(): void {
    reads.retry();
    options.onRoom();
  }

  function wakeUp(claim: Claim | null, fanned?: DueHook): void {
    if (!claim) return;
    claim.wakeUp(fanned);
    reads.withdraw(claim);
  }

  function adopt({ hookId, slow }: ClaimedHook, fanned?: DueHook): void {
    const hook = hooks.get(hookId) ?? makeServedHook(hookId, slow);
    hooks.set(hookId, hook);
    if (hook.claim) {
      addDue(hook);
      wakeUp(hook.claim, fanned);
      return;
    }
    if (hook.inFlight.size === 0) hook.slow = slow;
    hook.due = 'more';
    hook.idleSince = hook.readAt = performance.now();
    hook.starvedSince = null;
    hook.claim = makeClaim(hook);
    void serveHook(worker, hook.claim, fanned);
  }

  /** Never rejects. */
  async function release(claims: Claim[]): Promise<Map<Claim, ReleasedHook | null>> {
    const results = new Map<Claim, ReleasedHook | null>(claims.map((claim) => [claim, null]));
    const id = leaseId();
    const held = claims.filter((claim) => claim.hook.claim === claim);
    if (held.length === 0) return results;
    const given = held.map(({ hook: { hookId }, wakes }) => ({ hookId, wakes }));
    const rests = held.flatMap(({ hook }) => {
      const restMs = pace.restMs(hook);
      return restMs === null ? [] : [{ hookId: hook.hookId, restMs }];
    });
    try {
      if (rests.length > 0) await saveNextStarts(rests);
      const released = new Map((await releaseHooks(id, given)).map((hook) => [hook.hookId, hook]));
      for (const claim of held) results.set(claim, released.get(claim.hook.hookId) ?? null);
    } catch (error) {
      log().warn({ err: error }, 'deliveries.not_released');
    }
    return results;
  }

  return {
    adopt(claimed: ClaimedHook[]): void {
      for (const hook of claimed) adopt(hook);
    },
    /** Adopts hooks that a fan-out claimed, or that this worker served already. */
    adoptFanned(fanned: DueHook[]): void {
      for (const hook of fanned) adopt(hook, hook);
    },
    /** Makes hooks read again, because they may have more deliveries. */
    wake(hookIds: string[]): void {
      for (const hookId of hookIds) {
        const hook = hooks.get(hookId);
        if (!hook) continue;
        hook.due = 'changed';
        wakeUp(hook.claim);
      }
    },
    /**
     * Makes each hook decide again. Moves all hanging hooks to the slow part first, before any hook gets
     * their room.
     * @param polls whether to read busy hooks again: otherwise their worker does not notice a removal
     */
    tick(polls: boolean): void {
      room.moveHanging(hooks.values());
      if (polls) pace.forgetOld();
      for (const hook of hooks.values()) {
        if (polls && hook.inFlight.size > 0) hook.due = 'changed';
        if (!hook.claim && hook.inFlight.size === 0) hooks.delete(hook.hookId);
        wakeUp(hook.claim);
      }
      onRoom();
    },
    served: (): string[] => served().map(({ hookId }) => hookId),
    /**
     * Returns the number of further hooks the worker can serve, by the room that none of its hooks waits for.
     */
    capacity(): Room {
      const open: Room = { fast: room.free('fast'), slow: room.free('slow') };
      for (const hook of served()) {
        const isReading = hook.claim !== null && reads.isReading(hook.claim);
        if (countSending(hook) === 0 && (isReading || hook.due !== 'none')) open[partOf(hook)] -= 1;
      }
      return stopping ? { fast: 0, slow: 0 } : { fast: Math.max(0, open.fast), slow: Math.max(0, open.slow) };
    },
    /**
     * Gives up all hooks after the lease is lost. Attempts in flight continue, and the fence judges their
     * results.
     */
    lose(): void {
      for (const hook of hooks.values()) {
        const { claim } = hook;
        hook.claim = null;
        wakeUp(claim);
      }
    },
    /**
     * Starts no more attempts. Resolves when all attempts are recorded and all hooks released. `tick` must
     * run until then.
     */
    async stop(): Promise<void> {
      stopping = true;
      reads.stop();
      for (const { claim } of served()) wakeUp(claim);
      while ([...hooks.values()].some(({ claim, inFlight }) => claim || inFlight.size > 0)) await sleep(20);
    },
  };
}

/** Never rejects: the next 429 shares the pace again. */
async function sharePaces(hookIds: string[]): Promise<Map<string, void>> {
  await shareConnectionPace(hookIds).catch((error: unknown) => {
    log().warn({ err: error }, 'deliveries.pace_not_shared');
  });
  return new Map(hookIds.map((hookId) => [hookId, undefined]));
}
