import type { DueHook } from '#server/automation/deliveries/hook-queue.ts';
import type { Frozen } from '#server/core/frozen.ts';

// The state of one hook of a worker, and all of its transitions. No other file writes the fields of a hook.

/** A hook of a worker: one that it serves, or that still has attempts in flight after its claim was lost. */
export type Hook = {
  hookId: string;
  /** Null until the first read. */
  connectionId: string | null;
  /** Number of the claim, unique in this worker. Null once the lease is lost or the hook is released. */
  claim: number | null;
  /** `hook_queue.wakes` at the last read, -1 before: the hook is released only at this number. */
  wakes: number;
  /**
   * Expected result of the next read. `more`: deliveries to send. `changed`: possibly also that the hook was
   * removed, so it is read even if nothing may start.
   */
  due: 'none' | 'more' | 'changed';
  /**
   * Statement that runs for this hook, or `starting`: deliveries were read and start in the next round. Until then
   * the hook has no next step.
   */
  busy: 'reading' | 'starting' | 'releasing' | 'ending' | null;
  /** Attempts by event id. Reads skip attempts whose result is not recorded yet. */
  inFlight: Map<string, 'sending' | 'unrecorded'>;
  /** Number of attempts in `inFlight` that are being sent. */
  sending: number;
  /** True if the hook timed out recently, or has not responded for a while. */
  slow: boolean;
  // The following are timestamps of `performance.now()`.
  /** End of the pause after a failed statement. */
  restsUntil: number;
  /** Last result other than a timeout, or the read that led to the first request after an idle time. */
  heardAt: number;
  /** Last read or recorded attempt. */
  idleSince: number;
  /** Start of the last read. The hook that has waited longest is read first. */
  readAt: number;
  /** Start of the time without room for the hook; null while there is room. */
  starvedSince: number | null;
};

export type ServedHook = Frozen<Hook>;

/**
 * Number of attempts in flight: of slow hooks, which may use only a part of a worker, and of all other hooks.
 */
export type Room = { fast: number; slow: number };
export const PARTS = ['fast', 'slow'] as const;

/** Time without a response after which a hook counts as slow until it responds, in ms. */
const HANGING_MS = 2_000;

export function partOf({ slow }: { slow: boolean }): keyof Room {
  return slow ? 'slow' : 'fast';
}

export function isHanging(hook: ServedHook, now: number): boolean {
  return now - hook.heardAt >= HANGING_MS && hook.sending > 0;
}

export function makeHook(hookId: string, slow: boolean, now: number): Hook {
  return {
    hookId,
    connectionId: null,
    claim: null,
    wakes: -1,
    due: 'none',
    busy: null,
    inFlight: new Map(),
    sending: 0,
    slow,
    restsUntil: 0,
    heardAt: now,
    idleSince: now,
    readAt: now,
    starvedSince: null,
  };
}

/** Starts a claim. A hook with attempts in flight of an earlier claim stays in its part of the worker. */
export function startClaim(hook: Hook, { claim, slow }: { claim: number; slow: boolean }, now: number): void {
  if (hook.inFlight.size === 0) hook.slow = slow;
  hook.claim = claim;
  hook.wakes = -1;
  hook.due = 'more';
  hook.busy = null;
  hook.restsUntil = 0;
  hook.idleSince = hook.readAt = now;
  hook.starvedSince = null;
}

export function endClaim(hook: Hook): void {
  hook.claim = null;
}

/** Marks that deliveries may be due that a read in progress has missed. */
export function addDue(hook: Hook): void {
  if (hook.due === 'none') hook.due = 'more';
}

export function markChanged(hook: Hook): void {
  hook.due = 'changed';
}

export function setStarved(hook: Hook, isStarved: boolean, now: number): void {
  hook.starvedSince = isStarved ? now : null;
}

/** Expects nothing more from now on, so that a wake-up while the statement runs counts. */
export function startReading(hook: Hook, now: number): void {
  hook.busy = 'reading';
  hook.due = 'none';
  hook.readAt = now;
}

export function endReading(hook: Hook, now: number): void {
  hook.busy = null;
  hook.idleSince = now;
}

/** Uses the delivery of a fan-out instead of a read. */
export function skipReading(hook: Hook, now: number): void {
  hook.due = 'none';
  hook.idleSince = now;
}

/** Stores what was read, until its deliveries start. A hanging hook stays slow until it responds. */
export function learnHook(sending: Room, hook: Hook, found: DueHook, now: number): void {
  hook.busy = 'starting';
  hook.wakes = found.wakes;
  hook.connectionId = found.connectionId;
  setSlow(sending, hook, found.slow || (hook.slow && isHanging(hook, now)));
}

/** Expects nothing more from now on, as `startReading`. */
export function startReleasing(hook: Hook): void {
  hook.busy = 'releasing';
  hook.due = 'none';
}

export function startEnding(hook: Hook): void {
  hook.busy = 'ending';
}

export function endStatement(hook: Hook): void {
  hook.busy = null;
}

/** Reads the hook again after a pause. */
export function rest(hook: Hook, until: number): void {
  hook.due = 'changed';
  hook.restsUntil = until;
}

/** Counts an attempt in the room of the hook's part. */
export function startAttempt(sending: Room, hook: Hook, eventId: string): void {
  // The end of the read, so that hooks of the same read are judged together.
  if (hook.sending === 0) hook.heardAt = hook.idleSince;
  hook.inFlight.set(eventId, 'sending');
  hook.sending += 1;
  sending[partOf(hook)] += 1;
}

/** Frees the room of an attempt. Reads skip its delivery until the result is recorded (`endAttempt`). */
export function endSending(sending: Room, hook: Hook, eventId: string): void {
  hook.inFlight.set(eventId, 'unrecorded');
  hook.sending -= 1;
  sending[partOf(hook)] -= 1;
}

/** Moves a hook that timed out to the slow part, and back after any response. */
export function learnResult(
  sending: Room,
  hook: Hook,
  result: { kind: string; response?: object },
  now: number,
): void {
  if (result.kind === 'timed_out') setSlow(sending, hook, true);
  else hook.heardAt = now;
  if (result.response) setSlow(sending, hook, false);
}

export function endAttempt(hook: Hook, eventId: string, now: number): void {
  hook.inFlight.delete(eventId);
  hook.idleSince = now;
}

/** Moves a hook to a part of the worker, with the room of its attempts. */
export function setSlow(sending: Room, hook: Hook, slow: boolean): void {
  if (hook.slow === slow) return;
  sending[partOf(hook)] -= hook.sending;
  hook.slow = slow;
  sending[partOf(hook)] += hook.sending;
}
