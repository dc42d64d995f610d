import type { Dispatcher } from 'undici';
import { checkBeforeSending } from '#server/automation/deliveries/check-before-sending.ts';
import { type HookPacer, makeHookPacer } from '#server/automation/deliveries/drain/hook-pacer.ts';
import type { Room } from '#server/automation/deliveries/drain/lane.ts';
import { isHanging, partOf } from '#server/automation/deliveries/drain/lane.ts';
import { type Lanes, makeLanes } from '#server/automation/deliveries/drain/lanes.ts';

export type DrainerOptions = {
  dispatcher: Dispatcher;
  room: Room;
  /** The lease under which the hooks are claimed, and whether it is certainly still held. */
  id: () => string;
  mayStart: () => boolean;
  onAttempt: () => void;
  /** A hook that was given back is due again. */
  onDue: () => void;
  /** There is room for more. */
  onRoom: () => void;
};

/** A hook with nothing to do is kept for so long: the next event finds its drainer there. */
export const LINGER_MS = 250;
/** One that finds no room in this worker goes back after so long: another worker may have some. */
export const STARVED_MS = 1_000;

/** What the parts of a drainer share: its options, and what it is doing. */
export type DrainerState = DrainerOptions & {
  /** Names its coalesced runs, each of which is one at a time. */
  name: string;
  lanes: Lanes;
  pacer: HookPacer;
  inFlight: Room;
  stopping: boolean;
};

export function makeDrainerState(options: DrainerOptions): DrainerState {
  return {
    ...options,
    dispatcher: checkBeforeSending(options.dispatcher, options.mayStart),
    name: crypto.randomUUID(),
    lanes: makeLanes(),
    pacer: makeHookPacer(),
    inFlight: { fast: 0, slow: 0 },
    stopping: false,
  };
}

/** How many attempts more may be in flight. */
export function freeRoom({ room, inFlight }: DrainerState): Room {
  return { fast: room.fast - inFlight.fast, slow: room.slow - inFlight.slow };
}

/**
 * Hooks that answer nothing leave the part of the worker that all others have long before their attempts run out of
 * time.
 * @returns whether any left it, so that there is room
 */
export function moveHanging({ lanes, inFlight }: DrainerState): boolean {
  let moved = 0;
  for (const lane of lanes.all().filter(isHanging)) {
    lane.hanging = true;
    for (const flight of lane.flights) {
      if (flight.part === 'slow') continue;
      inFlight[flight.part] -= 1;
      flight.part = 'slow';
      inFlight.slow += 1;
      moved += 1;
    }
  }
  return moved > 0;
}

/** How many hooks more a drainer can take: room that no hook of its own is waiting for. */
export function capacityOf(state: DrainerState): Room {
  const free = freeRoom(state);
  const open = (part: keyof Room) => {
    const wanting = state.lanes
      .all()
      .filter((lane) => partOf(lane) === part && lane.claimed)
      .filter((lane) => lane.flights.size === 0 && (lane.hungry || lane.reading));
    return state.stopping ? 0 : Math.max(0, free[part] - wanting.length);
  };
  return { fast: open('fast'), slow: open('slow') };
}
