import type { MadeAttempt } from '#server/automation/deliveries/attempt-result.ts';
import { hookLimits, isShared, nextStart, restMs } from '#server/automation/deliveries/pace.ts';
import { RECORD_MAX } from '#server/automation/deliveries/record-attempts.ts';
import { PARTS, partOf, type Room, type ServedHook } from '#server/automation/deliveries/served-hook.ts';
import {
  type Found,
  freeRoom,
  type Plan,
  type Read,
  type Release,
  type Start,
  type WorkerState,
} from '#server/automation/deliveries/worker-state.ts';
import { isAdmin } from '#server/teammates/roles.ts';

// Decides what a worker does next. Pure: reads the state and the time, and changes nothing.

/** Time that a hook without deliveries stays claimed, so that the next event finds its worker, in ms. */
const LINGER_MS = 250;
/** Time without room after which a hook is released, as another worker may have room, in ms. */
const STARVED_MS = 1_000;
/** Maximum unrecorded attempts of a hook, beyond those in flight: a crash would repeat them all. */
const UNRECORDED_MAX = 20;

/** `mayStart`: the lease is certainly still held. */
export type Circumstances = { now: number; mayStart: boolean };

/** Decides which deliveries of a hook that was read start now, within its pace. */
export function planStart(state: WorkerState, entry: Found, { now, mayStart }: Circumstances): Start {
  const { found, isFanned } = entry;
  const hook = state.hooks.get(entry.hookId);
  const nothing: Start = { ...entry, deliveries: [], isLeft: false, ends: false };
  if (hook?.claim !== entry.claim) return nothing;
  const isAllowed = found.endpoint !== null || (found.role !== null && isAdmin(found.role));
  if (!found.isLive || !isAllowed) return { ...nothing, ends: true };
  const { waitMs, together } = nextStart(state.pace, found, now);
  // A read has reserved its room.
  const room = isFanned ? Math.max(0, freeRoom(state, partOf(hook))) : found.due.length;
  const isOpen = mayStart && !state.stopping && waitMs <= 0;
  const deliveries = isOpen ? found.due.slice(0, Math.min(together, room)) : [];
  return { ...nothing, deliveries, isLeft: found.more || deliveries.length < found.due.length };
}

/** Decides which statements start now. A kind of statement that is running waits for the next round. */
export function planRound(state: WorkerState, { now, mayStart }: Circumstances): Plan {
  const { leaseId, running, stopping } = state;
  const plan: Plan = { statements: [], starved: [], wakeAt: Number.POSITIVE_INFINITY };
  for (const at of state.dueTimes) plan.wakeAt = Math.min(plan.wakeAt, at);
  for (const { until } of state.unrecordable) plan.wakeAt = Math.min(plan.wakeAt, until);
  planRecords(state, plan);
  if (!mayStart || leaseId === null) return plan;

  const { inFlight: inFlightMax } = hookLimits();
  const reading: ServedHook[] = [];
  const releases: Release['hooks'] = [];
  /** Room that no hook waits for. */
  const open: Room = { fast: freeRoom(state, 'fast'), slow: freeRoom(state, 'slow') };
  for (const hook of state.hooks.values()) {
    const { hookId, claim, wakes, busy, due } = hook;
    if (claim === null) continue;
    if (hook.sending === 0 && (busy === 'reading' || due !== 'none')) open[partOf(hook)] -= 1;
    if (busy !== null) continue;
    if (hook.restsUntil > now) {
      plan.wakeAt = Math.min(plan.wakeAt, hook.restsUntil);
      continue;
    }
    const step = nextStep(hook, { stopping, inFlightMax, now });
    if (step === 'read') reading.push(hook);
    else if (step === 'release') {
      releases.push({
        hookId,
        claim,
        wakes,
        restMs: restMs(state.pace, hookId, now),
        isStarved: due !== 'none',
      });
    }
  }
  if (!stopping) planClaims(state, plan, { leaseId, open, now });
  if (!running.has('read')) {
    const hooks = planReads(state, reading, plan, { now, inFlightMax });
    if (hooks.length > 0) plan.statements.push({ kind: 'read', leaseId, hooks });
  }
  if (!running.has('release') && releases.length > 0) {
    plan.statements.push({ kind: 'release', leaseId, hooks: releases });
  }
  return plan;
}

function planRecords({ running, finished, throttled }: WorkerState, { statements }: Plan): void {
  if (finished.length > 0 && !running.has('record')) {
    statements.push({ kind: 'record', attempts: finished.slice(0, RECORD_MAX) as MadeAttempt[] });
  }
  if (throttled.size > 0 && !running.has('sharePace')) {
    statements.push({ kind: 'sharePace', hookIds: [...throttled] });
  }
}

/**
 * Fans out events and claims hooks, one after the other: both claim hooks, and must not promise the same room. A
 * worker with more events than one fan-out still claims hooks in between.
 */
function planClaims(
  { due, running, hasEvents, claimsNext, claimsAt, hooks }: WorkerState,
  plan: Plan,
  { leaseId, open, now }: { leaseId: string; open: Room; now: number },
): void {
  if (running.has('fanOut') || running.has('claim')) return;
  if (claimsAt > now) {
    plan.wakeAt = Math.min(plan.wakeAt, claimsAt);
    return;
  }
  const limits: Room = {
    fast: due.fast ? Math.max(0, open.fast) : 0,
    slow: due.slow ? Math.max(0, open.slow) : 0,
  };
  const canClaim = limits.fast + limits.slow > 0;
  if (hasEvents && !(claimsNext && canClaim)) {
    plan.statements.push({ kind: 'fanOut', leaseId, hooks: Math.max(0, open.fast) });
  } else if (canClaim) {
    const served = [...hooks.values()].flatMap(({ hookId, claim }) => (claim === null ? [] : [hookId]));
    plan.statements.push({ kind: 'claim', leaseId, limits, served });
  }
}

/** Decides the next step of a hook. */
export function nextStep(
  { due, idleSince, inFlight, sending, starvedSince }: ServedHook,
  { stopping, inFlightMax, now }: { stopping: boolean; inFlightMax: number; now: number },
): 'read' | 'wait' | 'release' {
  const isIdle = inFlight.size === 0;
  // Read a changed hook first: it can be released only at the number of wakes that was read.
  if (stopping && !isIdle) return 'wait';
  if (due === 'changed') return 'read';
  if (stopping) return 'release';
  if (due === 'none') return isIdle && now - idleSince >= LINGER_MS ? 'release' : 'wait';
  if (isIdle && starvedSince !== null && now - starvedSince >= STARVED_MS) return 'release';
  return freeSlots({ inFlight, sending }, inFlightMax) > 0 ? 'read' : 'wait';
}

/** Returns how many attempts of a hook may start, regardless of room and pace. */
export function freeSlots(
  { inFlight, sending }: Pick<ServedHook, 'inFlight' | 'sending'>,
  inFlightMax: number,
): number {
  return Math.max(0, Math.min(inFlightMax - sending, inFlightMax + UNRECORDED_MAX - inFlight.size));
}

/**
 * Shares the free room evenly between the hooks that may start attempts, within their own limits and paces. The
 * hook that has waited longest comes first. Hooks that share their connection's pace start one at a time. A
 * changed hook is read even without room.
 */
function planReads(
  state: WorkerState,
  hooks: ServedHook[],
  plan: Plan,
  { now, inFlightMax }: { now: number; inFlightMax: number },
): Read['hooks'] {
  const requests: Read['hooks'] = [];
  const oldestFirst = hooks.toSorted((a, b) => a.readAt - b.readAt);
  for (const part of PARTS) {
    const wanting = oldestFirst
      .filter((hook) => partOf(hook) === part)
      .map((hook) => ({ hook, wanted: countWanted(state, hook, plan, { now, inFlightMax }) }));
    const startingConnections = new Set<string>();
    let left = Math.max(0, freeRoom(state, part));
    let others = wanting.filter(({ wanted }) => wanted > 0).length;
    for (const { hook, wanted } of wanting) {
      const { hookId, connectionId, claim, inFlight } = hook;
      let most = Math.min(wanted, left, Math.max(1, Math.floor(left / Math.max(1, others))));
      if (wanted > 0) {
        others -= 1;
        const isStarved = left === 0 && (inFlight.size === 0 || hook.starvedSince !== null);
        if (isStarved !== (hook.starvedSince !== null)) plan.starved.push({ hookId, isStarved });
      }
      if (most > 0 && connectionId !== null && isShared(state.pace, connectionId, now)) {
        if (startingConnections.has(connectionId)) most = 0;
        startingConnections.add(connectionId);
      }
      if (claim === null || (most === 0 && hook.due !== 'changed')) continue;
      left -= most;
      requests.push({ hookId, claim, most, busy: [...inFlight.keys()] });
    }
  }
  return requests;
}

/** Returns how many attempts a hook may start now, regardless of room. */
function countWanted(
  { stopping, pace }: WorkerState,
  hook: ServedHook,
  plan: Plan,
  { now, inFlightMax }: { now: number; inFlightMax: number },
): number {
  if (stopping) return 0;
  const { hookId, connectionId } = hook;
  const { waitMs, together } = nextStart(pace, { hookId, connectionId: connectionId ?? hookId }, now);
  if (waitMs > 0) plan.wakeAt = Math.min(plan.wakeAt, now + waitMs);
  return waitMs > 0 ? 0 : Math.min(freeSlots(hook, inFlightMax), together);
}
