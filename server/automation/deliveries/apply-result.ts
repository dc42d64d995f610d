import type { MadeAttempt } from '#server/automation/deliveries/attempt-result.ts';
import { FAN_OUT_MAX } from '#server/automation/deliveries/fan-out.ts';
import type { ClaimedHook, DueHook } from '#server/automation/deliveries/hook-queue.ts';
import { learnPace } from '#server/automation/deliveries/pace.ts';
import {
  addDue,
  endAttempt,
  endClaim,
  endReading,
  endStatement,
  type Hook,
  learnHook,
  makeHook,
  markChanged,
  PARTS,
  partOf,
  rest,
  skipReading,
  startClaim,
} from '#server/automation/deliveries/served-hook.ts';
import {
  currentHook,
  expectWork,
  type Found,
  type Result,
  type State,
} from '#server/automation/deliveries/worker-state.ts';

/** Maximum age of a hook's last read while fan-outs replace its reads, in ms: only a read finds retries. */
const READ_AGE_MS = 1_000;
/** A released hook that is due within this time is claimed again at that time, in ms. Others are polled. */
const SOON_MS = 1_000;
/** Pauses after a failure, in ms: of a fan-out or claim, of a hook's read, of the end of a hook. */
const CLAIM_REST_MS = 100;
const READ_REST_MS = 250;
const END_REST_MS = 1_000;
/** Pause before a delivery whose attempt could not be recorded is sent again, in ms. */
const UNRECORDED_REST_MS = 60_000;

type Of<Kind extends Result['kind']> = Extract<Result, { kind: Kind }>;

/** Applies the result of a statement. Part of `applyUpdate`. */
export function applyResult(state: State, result: Result, now: number): void {
  switch (result.kind) {
    case 'fannedOut':
      applyFanOut(state, result, now);
      return;
    case 'claimed':
      applyClaim(state, result, now);
      return;
    case 'read':
      applyRead(state, result, now);
      return;
    case 'recorded':
      applyRecord(state, result, now);
      return;
    case 'released':
      applyRelease(state, result, now);
      return;
    case 'paceShared':
      state.running.delete('sharePace');
      return;
    case 'ended':
      applyEnd(state, result, now);
  }
}

/**
 * Adopts hooks that a fan-out claimed, or that this worker served already. The delivery that it returns replaces a
 * read if it is all that the read would find: the hook had no other addition since its last read, or is new in the
 * queue.
 */
function applyFanOut(state: State, { by, result }: Of<'fannedOut'>, now: number): void {
  state.running.delete('fanOut');
  state.claimsNext = true;
  if (!result) {
    restClaims(state, now);
    return;
  }
  if (result.unclaimed > 0) state.due.fast = state.due.slow = true;
  state.hasEvents ||= result.taken === FAN_OUT_MAX;
  // Once the lease was replaced, another worker may serve these hooks.
  if (by.leaseId !== state.leaseId) return;
  for (const found of result.hooks) {
    const known = state.hooks.get(found.hookId);
    const hadNothingDue = !known || known.claim === null || known.due === 'none';
    const hook = adopt(state, found, now);
    const isComplete =
      hadNothingDue &&
      found.wakes === hook.wakes + 1 &&
      now - hook.readAt < READ_AGE_MS &&
      found.sharedFor === null;
    const isIdle = hook.busy === null && hook.inFlight.size === 0 && !state.running.has('read');
    if (!isComplete || !isIdle) continue;
    skipReading(hook, now);
    learn(state, hook, found, { isFanned: true }, now);
  }
}

function applyClaim(state: State, { by, result }: Of<'claimed'>, now: number): void {
  state.running.delete('claim');
  state.claimsNext = false;
  if (!result) {
    restClaims(state, now);
    return;
  }
  // A full result means that there may be more.
  for (const part of PARTS) {
    const count = result.filter((hook) => partOf(hook) === part).length;
    if (by.limits[part] > 0 && count >= by.limits[part]) state.due[part] = true;
  }
  if (by.leaseId === state.leaseId) for (const hook of result) adopt(state, hook, now);
}

function restClaims(state: State, now: number): void {
  expectWork(state);
  state.claimsAt = now + CLAIM_REST_MS;
}

function adopt(state: State, { hookId, slow }: ClaimedHook, now: number): Hook {
  const hook = state.hooks.get(hookId) ?? makeHook(hookId, slow, now);
  state.hooks.set(hookId, hook);
  if (hook.claim !== null) addDue(hook);
  else {
    state.claims += 1;
    startClaim(hook, { claim: state.claims, slow }, now);
  }
  return hook;
}

function applyRead(state: State, { by, result }: Of<'read'>, now: number): void {
  state.running.delete('read');
  const byId = new Map(result?.map((found) => [found.hookId, found]));
  for (const each of by.hooks) {
    const hook = currentHook(state, each);
    if (!hook) continue;
    endReading(hook, now);
    const found = byId.get(hook.hookId);
    if (found) learn(state, hook, found, { isFanned: false }, now);
    else if (!result) rest(hook, now + READ_REST_MS);
    // The worker no longer serves the hook. If it was claimed again since the read started, the next read finds it.
    else if (hook.due === 'none') endClaim(hook);
  }
}

/** Merges what was read into the hook. Its deliveries start in the next round. */
function learn(
  state: State,
  hook: Hook,
  found: DueHook,
  { isFanned }: Pick<Found, 'isFanned'>,
  now: number,
): void {
  const { hookId, claim } = hook;
  if (claim === null) return;
  learnHook(state.sending, hook, found, now);
  learnPace(state.pace, found, { ...found, share: shareOf(state, found) }, now);
  state.found.push({ hookId, claim, found, isFanned });
}

/** Returns this worker's share of a connection's pace: that of the hooks it serves. */
function shareOf({ hooks }: State, { connectionId, sharers, sharedFor }: DueHook): number {
  if (sharedFor === null) return 1;
  let served = 0;
  for (const hook of hooks.values())
    if (hook.claim !== null && hook.connectionId === connectionId) served += 1;
  return Math.min(1, served / Math.max(1, sharers));
}

function applyRecord(state: State, { result }: Of<'recorded'>, now: number): void {
  state.running.delete('record');
  state.attempts += result.size;
  for (const [attempt, isRecorded] of result) {
    const { hookId, eventId } = attempt.delivery;
    if (isRecorded === null) state.unrecordable.push({ hookId, eventId, until: now + UNRECORDED_REST_MS });
    else {
      const hook = state.hooks.get(hookId);
      if (hook) endAttempt(hook, eventId, now);
      if (hook && isDueAgain(attempt)) addDue(hook);
      if (isRecorded && attempt.result.kind === 'throttled') state.throttled.add(hookId);
    }
  }
}

/** A later retry is found by its timestamp (`hook-queue.ts`, the way of a retry). */
function isDueAgain({ next }: MadeAttempt): boolean {
  return next.kind === 'retry' && next.delaySeconds === 0;
}

/** Keeps a hook that got more deliveries since its last read: it is read again. */
function applyRelease(state: State, { by, result }: Of<'released'>, now: number): void {
  state.running.delete('release');
  const byId = new Map(result?.map((released) => [released.hookId, released]));
  for (const each of by.hooks) {
    const hook = currentHook(state, each);
    if (!hook) continue;
    endStatement(hook);
    const released = byId.get(hook.hookId);
    if (!released) markChanged(hook);
    // Otherwise a fan-out claimed the hook again before this response arrived.
    if (hook.due !== 'none') continue;
    endClaim(hook);
    const dueInMs = released?.dueInMs ?? null;
    if (each.isStarved || (dueInMs !== null && dueInMs < SOON_MS)) state.dueTimes.push(now + (dueInMs ?? 0));
  }
}

function applyEnd(state: State, { hook: ended, isDone }: Of<'ended'>, now: number): void {
  const hook = currentHook(state, ended);
  if (!hook) return;
  endStatement(hook);
  // The end of a connection removes its hooks: the next read cancels their deliveries.
  if (ended.found.isLive) addDue(hook);
  if (!isDone) rest(hook, now + END_REST_MS);
}
