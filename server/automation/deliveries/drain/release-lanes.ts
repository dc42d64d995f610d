import {
  type DrainerState,
  LINGER_MS,
  STARVED_MS,
} from '#server/automation/deliveries/drain/drainer-state.ts';
import { releaseHooks } from '#server/automation/deliveries/drain/drains.ts';
import { isIdle, type Lane } from '#server/automation/deliveries/drain/lane.ts';
import { saveNextStarts } from '#server/automation/deliveries/drain/share-connection-pace.ts';

/**
 * Releases the hooks that have nothing to do, and those that find no room here; all of which nothing is under way
 * once the drainer stops. One that got more since it was read is kept and looked at again.
 * @returns whether there were any
 */
export async function releaseLanes(state: DrainerState): Promise<boolean> {
  const { lanes } = state;
  const given = lanes.all().filter((lane) => mayGo(lane, state));
  if (given.length === 0) return false;
  for (const lane of given) lane.releasing = true;
  const claims = given.map((lane) => lane.claims);
  try {
    await keepRests(state, given);
    const released = new Map((await releaseHooks(state.id(), given)).map((hook) => [hook.hookId, hook]));
    for (const [place, lane] of given.entries()) {
      const hook = released.get(lane.hookId);
      lane.releasing = false;
      if (lane.claims !== claims[place]) continue;
      if (!hook) {
        lane.look = lane.hungry = true;
        continue;
      }
      lanes.drop(lane);
      if (lane.hungry || (hook.dueInMs !== null && hook.dueInMs < STARVED_MS)) {
        setTimeout(state.onDue, Math.max(0, hook.dueInMs ?? 0)).unref();
      }
    }
  } finally {
    for (const lane of given) lane.releasing = false;
  }
  return true;
}

function mayGo(lane: Lane, { stopping }: DrainerState): boolean {
  if (!lane.claimed || !isIdle(lane)) return false;
  const now = performance.now();
  const isDone = !lane.hungry && !lane.look && now - lane.idleSince >= LINGER_MS;
  return stopping || isDone || (lane.starvedSince !== null && now - lane.starvedSince >= STARVED_MS);
}

/** When paced hooks may start again is kept for those who drain them next. */
async function keepRests({ pacer }: DrainerState, given: Lane[]): Promise<void> {
  const rests = given.flatMap((lane) => {
    const restMs = pacer.restMs(lane);
    return restMs === null ? [] : [{ hookId: lane.hookId, restMs }];
  });
  if (rests.length > 0) await saveNextStarts(rests);
}
