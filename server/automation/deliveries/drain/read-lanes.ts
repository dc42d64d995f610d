import { askLanes } from '#server/automation/deliveries/drain/ask-lanes.ts';
import { type DrainerState, freeRoom, LINGER_MS } from '#server/automation/deliveries/drain/drainer-state.ts';
import type { Lane } from '#server/automation/deliveries/drain/lane.ts';
import { type DueHook, readDue } from '#server/automation/deliveries/drain/read-due.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';

export type OnRead = (lane: Lane, hook: DueHook) => void;

/**
 * Reads what is due of all hooks that have room, in one statement; the next takes what gathered while it was under way.
 * @param onRead called for each hook that this worker still drains
 */
export function makeReader(state: DrainerState, onRead: OnRead): { read(): void; stop(): void } {
  const { lanes } = state;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  const read = () => void runCoalesced(`read ${state.name}`, readAll);

  /** Reads again in so many milliseconds. */
  function readIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY;
      read();
    }, Math.ceil(ms));
  }

  async function readAll(): Promise<void> {
    if (!state.mayStart()) return;
    const { pacer, stopping } = state;
    const asked = askLanes(lanes.all(), { free: freeRoom(state), pacer, stopping, waitMs: readIn });
    if (asked.asks.length === 0) return;
    for (const lane of asked.lanes) {
      Object.assign(lane, { reading: true, hungry: false, look: false });
      lanes.toBack(lane);
    }
    const claims = asked.lanes.map((lane) => lane.claims);
    const found = new Map<string, DueHook>();
    try {
      for (const hook of await readDue(state.id(), asked.asks)) found.set(hook.hookId, hook);
    } catch (error) {
      for (const lane of asked.lanes) lane.hungry = lane.look = true;
      readIn(LINGER_MS);
      throw error;
    } finally {
      for (const lane of asked.lanes) lane.reading = false;
    }
    for (const [place, lane] of asked.lanes.entries()) {
      const hook = found.get(lane.hookId);
      // It was claimed under another lease meanwhile: a response about the one before says nothing of it.
      if (lane.claims !== claims[place]) lane.hungry = lane.look = true;
      else if (hook) onRead(lane, hook);
      else lanes.drop(lane);
    }
    if (!state.stopping) read();
    state.onRoom();
  }

  return { read, stop: () => clearTimeout(timer) };
}
