import type { ClaimedHook } from '#server/automation/deliveries/drain/drains.ts';
import { isIdle, type Lane, makeLane } from '#server/automation/deliveries/drain/lane.ts';

/** The hooks that a drainer has to do with, in the order in which they have waited for a read. */
export function makeLanes() {
  const lanes = new Map<string, Lane>();

  return {
    all: (): Lane[] => [...lanes.values()],
    get: (hookId: string): Lane | undefined => lanes.get(hookId),
    /** How many hooks of a connection this worker drains. */
    ownOf: (connectionId: string): number =>
      [...lanes.values()].filter((lane) => lane.claimed && lane.connectionId === connectionId).length,
    /** A hook was claimed for this drainer. */
    adopt({ hookId, slow }: ClaimedHook): void {
      const lane = lanes.get(hookId) ?? makeLane(hookId, slow);
      lanes.set(hookId, lane);
      if (!lane.claimed) lane.look = false;
      lane.claimed = true;
      lane.claims += 1;
      lane.hungry = true;
      lane.starvedSince = null;
    },
    /** More may be due of these hooks. */
    wake(hookIds: string[]): void {
      for (const hookId of hookIds) {
        const lane = lanes.get(hookId);
        if (lane) lane.hungry = lane.look = true;
      }
    },
    /** Its turn has come: the others go first at the next read. */
    toBack(lane: Lane): void {
      lanes.delete(lane.hookId);
      lanes.set(lane.hookId, lane);
    },
    /** This worker drains it no more. What is under way goes on. */
    drop(lane: Lane): void {
      lane.claimed = false;
      if (isIdle(lane)) lanes.delete(lane.hookId);
    },
    /** The attempt of a delivery is over and written, or given up. */
    free(hookId: string, eventId: string): void {
      const lane = lanes.get(hookId);
      lane?.busy.delete(eventId);
      if (lane && !lane.claimed && isIdle(lane)) lanes.delete(hookId);
    },
  };
}

export type Lanes = ReturnType<typeof makeLanes>;
