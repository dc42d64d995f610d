import type { DueHook } from '#server/automation/deliveries/dispatch/hook-queue.ts';

/**
 * Number of attempts in flight: of slow hooks, which may use only a part of a worker, and of all other hooks.
 */
export type Room = { fast: number; slow: number };

/** A hook of this worker: one that it serves, or that still has attempts in flight after its claim was lost. */
export type ServedHook = {
  hookId: string;
  /** Null until the first read. */
  connectionId: string | null;
  /** Null once the lease is lost or the hook is released. */
  claim: Claim | null;
  /**
   * Expected result of the next read. `more`: deliveries to send. `changed`: possibly also that the hook was
   * removed, so it is read even if nothing may start.
   */
  due: 'none' | 'more' | 'changed';
  /** Attempts by event id. Reads skip attempts whose result is not recorded yet. */
  inFlight: Map<string, 'sending' | 'unrecorded'>;
  /** True if the hook timed out recently, or has not responded for a while. */
  slow: boolean;
  // The following are timestamps of `performance.now()`.
  /** Last result other than a timeout, or the read that led to the first request after an idle time. */
  heardAt: number;
  /** Last read or recorded attempt. */
  idleSince: number;
  /** Start of the last read. The hook that has waited longest is read first. */
  readAt: number;
  /** Start of the time without room for the hook; null while there is room. */
  starvedSince: number | null;
};

/** A claim of a hook under the worker's lease. One loop serves it (`serveHook`). */
export type Claim = {
  hook: ServedHook;
  /** `hook_queue.wakes` at the last read, -1 before: the hook is released only at this number. */
  wakes: number;
  /** Makes a waiting loop decide again. `fanned`: the delivery that a fan-out has just created. */
  wakeUp(fanned?: DueHook): void;
  /** Resolves at the next `wakeUp`. */
  woken(): Promise<DueHook | undefined>;
};

/** Time that a hook without deliveries stays claimed, so that the next event finds its worker, in ms. */
const LINGER_MS = 250;
/** Time without room after which a hook is released, as another worker may have room, in ms. */
export const STARVED_MS = 1_000;
/** Time without a response after which a hook counts as slow until it responds, in ms. */
const HANGING_MS = 2_000;
/** Maximum unrecorded attempts of a hook, beyond those in flight: a crash would repeat them all. */
const UNRECORDED_MAX = 20;

export function makeServedHook(hookId: string, slow: boolean): ServedHook {
  const now = performance.now();
  return {
    hookId,
    connectionId: null,
    claim: null,
    due: 'none',
    inFlight: new Map(),
    slow,
    heardAt: now,
    idleSince: now,
    readAt: now,
    starvedSince: null,
  };
}

export function makeClaim(hook: ServedHook): Claim {
  let wakeUp = (_fanned?: DueHook) => {};
  return {
    hook,
    wakes: -1,
    wakeUp: (fanned) => wakeUp(fanned),
    woken: () =>
      new Promise((resolve) => {
        wakeUp = resolve;
      }),
  };
}

/**
 * Decides the next step of a hook's loop. `read` waits until room and pace allow a start (`shareReads`).
 * `wait` ends when an attempt of the hook ends, when something changed, and at the next tick of the worker.
 */
export function nextStep(
  hook: ServedHook,
  { mayStart, stopping, inFlightMax, now }: NextStepInput,
): 'read' | 'wait' | 'release' {
  const { due, idleSince, inFlight, starvedSince } = hook;
  const isIdle = inFlight.size === 0;
  if (!mayStart) return 'wait';
  // Read a changed hook first: it can be released only at the number of wakes that was read.
  if (stopping && !isIdle) return 'wait';
  if (due === 'changed') return 'read';
  if (stopping) return 'release';
  if (due === 'none') return isIdle && now - idleSince >= LINGER_MS ? 'release' : 'wait';
  if (isIdle && starvedSince !== null && now - starvedSince >= STARVED_MS) return 'release';
  return freeSlots(hook, inFlightMax) > 0 ? 'read' : 'wait';
}

export type NextStepInput = {
  /** True if the lease is certainly still held. */
  mayStart: boolean;
  stopping: boolean;
  inFlightMax: number;
  now: number;
};

/** Returns how many attempts of a hook may start, regardless of room and pace. */
export function freeSlots(hook: ServedHook, inFlightMax: number): number {
  const open = Math.min(inFlightMax - countSending(hook), inFlightMax + UNRECORDED_MAX - hook.inFlight.size);
  return Math.max(0, open);
}

/** Marks that deliveries may be due that a read in progress has missed. */
export function addDue(hook: ServedHook): void {
  if (hook.due === 'none') hook.due = 'more';
}

export function countSending({ inFlight }: ServedHook): number {
  let sending = 0;
  for (const state of inFlight.values()) if (state === 'sending') sending += 1;
  return sending;
}

export function makeRoomCount(room: Room) {
  const sending: Room = { fast: 0, slow: 0 };

  function setSlow(hook: ServedHook, slow: boolean): void {
    if (hook.slow === slow) return;
    const count = countSending(hook);
    sending[partOf(hook)] -= count;
    hook.slow = slow;
    sending[partOf(hook)] += count;
  }

  return {
    /**
     * Returns the free room. May be negative: a hook that became slow moves all of its attempts to the slow
     * part.
     */
    free: (part: keyof Room): number => room[part] - sending[part],
    start(hook: ServedHook, eventId: string): void {
      // The end of the read, so that hooks of the same read are judged together.
      if (countSending(hook) === 0) hook.heardAt = hook.idleSince;
      hook.inFlight.set(eventId, 'sending');
      sending[partOf(hook)] += 1;
    },
    end(hook: ServedHook, eventId: string): void {
      hook.inFlight.set(eventId, 'unrecorded');
      sending[partOf(hook)] -= 1;
    },
    setSlow,
    /** Moves hooks that do not respond to the slow part, long before their attempts time out. */
    moveHanging(hooks: Iterable<ServedHook>): void {
      const now = performance.now();
      for (const hook of hooks) if (isHanging(hook, now)) setSlow(hook, true);
    },
  };
}

export type RoomCount = ReturnType<typeof makeRoomCount>;

export function partOf({ slow }: ServedHook): keyof Room {
  return slow ? 'slow' : 'fast';
}

export function isHanging(hook: ServedHook, now: number): boolean {
  return now - hook.heardAt >= HANGING_MS && countSending(hook) > 0;
}
