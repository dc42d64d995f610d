import { applyResult } from '#server/automation/deliveries/apply-result.ts';
import { countStarts, forgetOld, throttle } from '#server/automation/deliveries/pace.ts';
import { type Circumstances, planRound, planStart } from '#server/automation/deliveries/plan-round.ts';
import {
  addDue,
  endAttempt,
  endClaim,
  endSending,
  endStatement,
  isHanging,
  learnResult,
  markChanged,
  PARTS,
  setSlow,
  setStarved,
  startAttempt,
  startEnding,
  startReading,
  startReleasing,
} from '#server/automation/deliveries/served-hook.ts';
import {
  currentHook,
  type End,
  expectWork,
  type Plan,
  type Start,
  type State,
  type Statement,
  type Update,
  type WorkerState,
} from '#server/automation/deliveries/worker-state.ts';

type Of<Kind extends Update['kind']> = Extract<Update, { kind: Kind }>;

/** Applies an update to the state of a worker. Only it and `takeRound` change the state. */
export function applyUpdate(worker: WorkerState, update: Update, now: number): void {
  const state = worker as State;
  switch (update.kind) {
    case 'leased':
      state.leaseId = update.leaseId;
      expectWork(state);
      return;
    case 'leaseLost':
      loseLease(state);
      return;
    case 'stopping':
      state.stopping = true;
      return;
    case 'eventsQueued':
      state.hasEvents = true;
      return;
    case 'hooksDue':
      expectWork(state);
      return;
    case 'hookChanged': {
      const hook = state.hooks.get(update.hookId);
      if (hook) markChanged(hook);
      return;
    }
    case 'tick':
      applyTick(state, update, now);
      return;
    case 'sent':
      applySent(state, update, now);
      return;
    default:
      applyResult(state, update, now);
  }
}

/** Gives up all hooks. Attempts in flight continue, and the fence judges their results. */
function loseLease(state: State): void {
  state.leaseId = null;
  for (const hook of state.hooks.values()) endClaim(hook);
}

/**
 * Moves all hooks that do not respond to the slow part together, before another hook gets their room, and long
 * before their attempts time out.
 */
function applyTick(state: State, { polls }: Of<'tick'>, now: number): void {
  for (const hook of state.hooks.values()) {
    if (isHanging(hook, now)) setSlow(state.sending, hook, true);
    if (polls && hook.inFlight.size > 0) markChanged(hook);
    if (hook.claim === null && hook.inFlight.size === 0) state.hooks.delete(hook.hookId);
  }
  if (!polls) return;
  forgetOld(state.pace, now);
  expectWork(state);
}

/** The deliveries and statements that a round starts. `wakeAt`: latest time of the next round. */
export type Round = { starts: Start[]; statements: (Statement | End)[]; wakeAt: number };

/** Decides which deliveries and statements start now, and marks them as started: the caller must run them. */
export function takeRound(worker: WorkerState, circumstances: Circumstances): Round {
  const state = worker as State;
  const { now } = circumstances;
  passTime(state, now);
  const starts = startFound(state, circumstances);
  const ends = starts
    .filter((start) => start.ends)
    .map((hook) => ({ kind: 'end' as const, hook, inFlight: attemptsOf(state, hook.hookId) }));
  const plan = planRound(state, circumstances);
  applyPlan(state, plan, now);
  return { starts, statements: [...ends, ...plan.statements], wakeAt: plan.wakeAt };
}

/** Starts the deliveries of the hooks that were read, one hook after the other: each takes from the same room. */
function startFound(state: State, circumstances: Circumstances): Start[] {
  return state.found.splice(0).map((entry) => {
    const start = planStart(state, entry, circumstances);
    applyStart(state, start, circumstances.now);
    return start;
  });
}

function attemptsOf({ hooks }: State, hookId: string): string[] {
  return [...(hooks.get(hookId)?.inFlight.keys() ?? [])];
}

function passTime(state: State, now: number): void {
  if (state.dueTimes.some((at) => at <= now)) {
    state.dueTimes = state.dueTimes.filter((at) => at > now);
    state.due.fast = state.due.slow = true;
  }
  if (!state.unrecordable.some(({ until }) => until <= now)) return;
  for (const { hookId, eventId, until } of state.unrecordable) {
    const hook = until <= now ? state.hooks.get(hookId) : undefined;
    if (hook) endAttempt(hook, eventId, now);
  }
  state.unrecordable = state.unrecordable.filter(({ until }) => until > now);
}

function applyStart(state: State, start: Start, now: number): void {
  const hook = currentHook(state, start);
  if (!hook) return;
  endStatement(hook);
  if (start.ends) startEnding(hook);
  if (start.isLeft) addDue(hook);
  countStarts(state.pace, start.found, start.deliveries.length, now);
  for (const { eventId } of start.deliveries) startAttempt(state.sending, hook, eventId);
}

/** Resets what a statement is about to look for, so that a wake-up while it runs counts. */
function applyPlan(state: State, plan: Plan, now: number): void {
  for (const { hookId, isStarved } of plan.starved) {
    const hook = state.hooks.get(hookId);
    if (hook) setStarved(hook, isStarved, now);
  }
  for (const statement of plan.statements) {
    state.running.add(statement.kind);
    if (statement.kind === 'fanOut') state.hasEvents = false;
    else if (statement.kind === 'claim') {
      for (const part of PARTS) if (statement.limits[part] > 0) state.due[part] = false;
    } else if (statement.kind === 'read') {
      for (const each of statement.hooks) {
        const hook = currentHook(state, each);
        if (hook) startReading(hook, now);
      }
    } else if (statement.kind === 'release') {
      for (const each of statement.hooks) {
        const hook = currentHook(state, each);
        if (hook) startReleasing(hook);
      }
    } else if (statement.kind === 'record') state.finished.splice(0, statement.attempts.length);
    else state.throttled.clear();
  }
}

/** Frees the room of an attempt. Changes the pace of its hook, and its part of the worker. */
function applySent(state: State, { hook: paced, eventId, attempt }: Of<'sent'>, now: number): void {
  const hook = state.hooks.get(paced.hookId);
  if (!hook) return;
  endSending(state.sending, hook, eventId);
  if (!attempt) {
    endAttempt(hook, eventId, now);
    addDue(hook);
    return;
  }
  const { result } = attempt;
  if (result.kind === 'throttled') throttle(state.pace, paced, now);
  learnResult(state.sending, hook, result, now);
  state.finished.push(attempt);
}
