import type { DrainerState } from '#server/automation/deliveries/drain/drainer-state.ts';
import { endHook } from '#server/automation/deliveries/drain/end-hook.ts';
import { type Flight, type Lane, learnStanding, partOf } from '#server/automation/deliveries/drain/lane.ts';
import { makeAttempt } from '#server/automation/deliveries/drain/make-attempt.ts';
import type { DueDelivery, DueHook } from '#server/automation/deliveries/drain/read-due.ts';
import type { MadeAttempt } from '#server/automation/deliveries/record-attempts.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** `onMade` takes the attempts to be written; `read` reads what is due once more. */
type Serving = { onMade: (attempt: MadeAttempt) => void; read: () => void };

/** Starts what a read found of a hook, as far as its pace allows, or ends what it may not get any more. */
export function serveHook(
  state: DrainerState,
  { lane, hook }: { lane: Lane; hook: DueHook },
  { onMade, read }: Serving,
): void {
  const { lanes, pacer } = state;
  learnStanding(lane, hook);
  const part =
    hook.sharedFor === null ? 1 : Math.min(1, lanes.ownOf(hook.connectionId) / Math.max(1, hook.sharers));
  pacer.learn(hook, { ...hook, part });
  if (!hook.isLive || !hook.role || !isAdmin(hook.role)) {
    void endHook(state, { lane, hook }, read);
  } else {
    const pace = pacer.next(hook);
    const mayStart = state.mayStart() && !state.stopping && lane.claimed && pace.waitMs <= 0;
    const starting = mayStart ? hook.due.slice(0, pace.together) : [];
    if (hook.more || starting.length < hook.due.length) lane.hungry = true;
    pacer.started(hook, starting.length);
    for (const due of starting) {
      lane.starvedSince = null;
      void send(state, { lane, hook, due }, { onMade, read });
    }
  }
  lane.idleSince = performance.now();
}

async function send(
  state: DrainerState,
  { lane, hook, due }: { lane: Lane; hook: DueHook; due: DueDelivery },
  { onMade, read }: Serving,
): Promise<void> {
  const { inFlight, lanes, pacer } = state;
  const flight: Flight = { part: partOf(lane) };
  if (lane.flights.size === 0) lane.heardAt = performance.now();
  lane.busy.add(due.eventId);
  lane.flights.add(flight);
  inFlight[flight.part] += 1;
  const attempt = await makeAttempt(state.dispatcher, hook, due);
  lane.flights.delete(flight);
  inFlight[flight.part] -= 1;
  state.onRoom();
  if (attempt === null) {
    lane.hungry = true;
    lanes.free(hook.hookId, due.eventId);
    return read();
  }
  const { kind } = attempt.result;
  if (kind === 'throttled') pacer.throttle(hook);
  if (kind === 'timed_out') lane.slow = true;
  else {
    if ('response' in attempt.result) lane.slow = false;
    lane.hanging = false;
    lane.heardAt = performance.now();
  }
  onMade(attempt);
  read();
}
