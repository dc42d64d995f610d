import type { DueHook } from '#server/automation/deliveries/drain/read-due.ts';

/** How many attempts a worker has in flight at most: of hooks that ran out of time lately, and of all others. */
export type Room = { fast: number; slow: number };

/** A hook that a worker drains, or of which it still has attempts under way. */
export type Lane = {
  hookId: string;
  /** Known from the first read on. */
  connectionId: string | null;
  /** Whether this worker drains it; after a lost lease its attempts go on without. */
  claimed: boolean;
  /** Counts how often it was claimed: a response about an older claim says nothing of this one. */
  claims: number;
  /** The number of wakes as of the last read. */
  wakes: number;
  /** Deliveries may be due that were not read. */
  hungry: boolean;
  /** Something about the hook may have changed: it is looked at also when nothing more may start. */
  look: boolean;
  /** A read, the end of its deliveries, a check of its teammate or its release is under way. */
  reading: boolean;
  ending: boolean;
  releasing: boolean;
  /** It ran out of time lately, or nothing was heard of it for long: it has only a part of the worker. */
  slow: boolean;
  hanging: boolean;
  /** The events whose attempts are under way or not written yet, and the attempts that are under way. */
  busy: Set<string>;
  flights: Set<Flight>;
  /** When it last answered, or began to be waited for; milliseconds of `performance.now()`. */
  heardAt: number;
  /** Since when it has had nothing to do, or could do nothing for want of room; milliseconds of `performance.now()`. */
  idleSince: number;
  starvedSince: number | null;
};

/** An attempt under way, and which part of the worker it takes. */
export type Flight = { part: keyof Room };

/** A hook that answers nothing for so long is treated as one that runs out of time, until it answers, in milliseconds. */
const HANGING_MS = 2_000;

/** Attempts of one hook whose results are not written yet, at most: what a crash has sent again. */
const UNWRITTEN_MAX = 20;

export function makeLane(hookId: string, slow: boolean): Lane {
  return {
    hookId,
    connectionId: null,
    claimed: false,
    claims: 0,
    wakes: 0,
    hungry: true,
    look: false,
    reading: false,
    ending: false,
    releasing: false,
    slow,
    hanging: false,
    busy: new Set(),
    flights: new Set(),
    heardAt: performance.now(),
    idleSince: performance.now(),
    starvedSince: null,
  };
}

/** Which part of a worker a hook has. */
export function partOf(lane: Lane): keyof Room {
  return lane.slow || lane.hanging ? 'slow' : 'fast';
}

/** How many attempts of a hook may start now, by what it has under way. */
export function roomOf(lane: Lane, inFlightMax: number): number {
  return Math.max(0, Math.min(inFlightMax - lane.flights.size, inFlightMax + UNWRITTEN_MAX - lane.busy.size));
}

/** Whether a hook answers nothing although attempts of it are under way. */
export function isHanging(lane: Lane): boolean {
  return lane.flights.size > 0 && performance.now() - lane.heardAt >= HANGING_MS;
}

/** Whether a hook's next read may begin. */
export function mayRead(lane: Lane): boolean {
  return lane.claimed && (lane.hungry || lane.look) && !lane.reading && !lane.ending && !lane.releasing;
}

/** Whether nothing of a hook is under way in this worker. */
export function isIdle(lane: Lane): boolean {
  return lane.busy.size === 0 && !lane.reading && !lane.ending && !lane.releasing;
}

/** Takes over what a read found out about a hook. */
export function learnStanding(lane: Lane, hook: DueHook): void {
  lane.connectionId = hook.connectionId;
  lane.wakes = hook.wakes;
  lane.slow = hook.slow;
}
