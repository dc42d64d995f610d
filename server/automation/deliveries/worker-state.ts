import type { MadeAttempt } from '#server/automation/deliveries/attempt-result.ts';
import type { FannedOut } from '#server/automation/deliveries/fan-out.ts';
import type {
  ClaimedHook,
  DueDelivery,
  DueHook,
  ReadRequest,
  ReleasedHook,
} from '#server/automation/deliveries/hook-queue.ts';
import { makePace, type Pace, type PacedHook } from '#server/automation/deliveries/pace.ts';
import type { Hook, Room } from '#server/automation/deliveries/served-hook.ts';
import type { Frozen } from '#server/core/frozen.ts';

// The state of a worker that sends deliveries. `worker/deliver.ts` repeats two steps: `takeRound` decides from the
// state what starts (`plan-round.ts`), and `applyUpdate` applies the results. Only these two change the state: for
// everything else it is readonly.

export type State = {
  room: Room;
  /** Attempts that are being sent. */
  sending: Room;
  hooks: Map<string, Hook>;
  pace: Pace;
  /** Null while no lease is held. */
  leaseId: string | null;
  stopping: boolean;
  /** Number of claims so far. */
  claims: number;
  /** Number of attempts that were recorded, or that could not be. */
  attempts: number;
  /** Kinds of statements that are running. At most one of each kind runs, and `fanOut` and `claim` alternate. */
  running: Set<Statement['kind']>;
  /** True if events may be waiting for the fan-out. */
  hasEvents: boolean;
  /** True if hooks may be due that no worker serves. */
  due: { fast: boolean; slow: boolean };
  /** True if hooks are claimed before the next fan-out, so that a stream of events does not delay claims. */
  claimsNext: boolean;
  /** End of the pause after a failed fan-out or claim. */
  claimsAt: number;
  /** Times at which released hooks are due again. */
  dueTimes: number[];
  /** Hooks that were read, whose deliveries start in the next round. */
  found: Found[];
  finished: MadeAttempt[];
  /** Hooks that just responded with 429. */
  throttled: Set<string>;
  /** Attempts that could not be recorded, until they may be sent again. */
  unrecordable: { hookId: string; eventId: string; until: number }[];
};

export type WorkerState = Frozen<State>;

/** A hook under a claim. A result under an earlier claim of the hook is ignored. */
export type Claimed = { hookId: string; claim: number };

/** A hook that was read, or (`isFanned`) whose only delivery a fan-out returned, without reserved room. */
export type Found = Claimed & { found: DueHook; isFanned: boolean };

/** `ends`: the hook was removed, or its teammate may no longer connect. `isLeft`: deliveries remain. */
export type Start = Found & { deliveries: DueDelivery[]; isLeft: boolean; ends: boolean };

type UnderLease<Kind, Values> = { kind: Kind; leaseId: string } & Values;
export type FanOut = UnderLease<'fanOut', { hooks: number }>;
export type Claim = UnderLease<'claim', { limits: Room; served: string[] }>;
export type Read = UnderLease<'read', { hooks: (Claimed & ReadRequest)[] }>;
/** `restMs`: time until a paced hook may start again; null without a pace. `isStarved`: released for lack of room. */
export type Release = UnderLease<
  'release',
  { hooks: (Claimed & { wakes: number; restMs: number | null; isStarved: boolean })[] }
>;
export type Statement =
  | FanOut
  | Claim
  | Read
  | Release
  | { kind: 'record'; attempts: MadeAttempt[] }
  | { kind: 'sharePace'; hookIds: string[] };
/** Cancels the deliveries of a removed hook, or ends a connection. One may run for each hook. */
export type End = { kind: 'end'; hook: Found; inFlight: string[] };

/** `starved`: hooks that have begun to lack room, or no longer do. `wakeAt`: time of the next round at the latest. */
export type Plan = {
  statements: Statement[];
  starved: { hookId: string; isStarved: boolean }[];
  wakeAt: number;
};

/** A statement with its result, null after a failure. */
export type Result =
  | { kind: 'fannedOut'; by: FanOut; result: FannedOut | null }
  | { kind: 'claimed'; by: Claim; result: ClaimedHook[] | null }
  | { kind: 'read'; by: Read; result: DueHook[] | null }
  | { kind: 'recorded'; result: Map<MadeAttempt, boolean | null> }
  | { kind: 'released'; by: Release; result: ReleasedHook[] | null }
  | { kind: 'paceShared' }
  | { kind: 'ended'; hook: Found; isDone: boolean };

/** Everything that changes the state. */
export type Update =
  | { kind: 'leased'; leaseId: string }
  | { kind: 'leaseLost' | 'stopping' }
  /** A notification, or the poll. */
  | { kind: 'eventsQueued' | 'hooksDue' }
  | { kind: 'hookChanged'; hookId: string }
  /** `polls`: busy hooks are read again, because otherwise their worker does not notice a removal. */
  | { kind: 'tick'; polls: boolean }
  /** `attempt`: null when nothing was sent. */
  | { kind: 'sent'; hook: PacedHook; eventId: string; attempt: MadeAttempt | null }
  | Result;

export function makeState(room: Room): WorkerState {
  const state: State = {
    room,
    sending: { fast: 0, slow: 0 },
    hooks: new Map(),
    pace: makePace(),
    leaseId: null,
    stopping: false,
    claims: 0,
    attempts: 0,
    running: new Set(),
    hasEvents: false,
    due: { fast: false, slow: false },
    claimsNext: false,
    claimsAt: 0,
    dueTimes: [],
    found: [],
    finished: [],
    throttled: new Set(),
    unrecordable: [],
  };
  return state;
}

/** Returns whether all attempts are recorded, all hooks released, and no statement may claim another hook. */
export function isDrained({ hooks, running }: WorkerState): boolean {
  if (running.has('fanOut') || running.has('claim')) return false;
  return [...hooks.values()].every(({ claim, inFlight }) => claim === null && inFlight.size === 0);
}

/** Returns the hook if this is still its claim. */
export function currentHook(state: State, { hookId, claim }: Claimed): Hook | undefined {
  const hook = state.hooks.get(hookId);
  return hook?.claim === claim ? hook : undefined;
}

/** Makes the worker look for events and for hooks that no worker serves. */
export function expectWork(state: State): void {
  state.hasEvents = state.due.fast = state.due.slow = true;
}

/**
 * Returns the free room. May be negative: a hook that became slow moves all of its attempts to the slow part.
 */
export function freeRoom({ room, sending }: Pick<WorkerState, 'room' | 'sending'>, part: keyof Room): number {
  return room[part] - sending[part];
}
