import {
  capacityOf,
  type DrainerOptions,
  makeDrainerState,
  moveHanging,
} from '#server/automation/deliveries/drain/drainer-state.ts';
import type { ClaimedHook } from '#server/automation/deliveries/drain/drains.ts';
import { makeReader } from '#server/automation/deliveries/drain/read-lanes.ts';
import { releaseLanes } from '#server/automation/deliveries/drain/release-lanes.ts';
import { makeResultWriter } from '#server/automation/deliveries/drain/result-writer.ts';
import { serveHook } from '#server/automation/deliveries/drain/serve-hook.ts';
import { shareConnectionPace } from '#server/automation/deliveries/drain/share-connection-pace.ts';
import type { MadeAttempt } from '#server/automation/deliveries/record-attempts.ts';
import { reportAttempt } from '#server/automation/deliveries/report-attempt.ts';
import { runCoalesced } from '#server/core/run-coalesced.ts';

/** What could not be written is not sent again for so long. */
const UNWRITTEN_REST_MS = 60_000;

/**
 * Drains the hooks that it is given: reads what is due, keeps at most so many attempts of each in flight as its
 * limit and pace allow, writes the results, and gives a hook back when nothing more is due. All hooks share their
 * statements: each takes what gathered while the one before it was under way.
 */
export function makeDrainer(options: DrainerOptions) {
  const state = makeDrainerState(options);
  const { inFlight, lanes, name, pacer } = state;
  const throttled = new Set<string>();
  const writer = makeResultWriter(written);
  const { read, stop } = makeReader(state, (lane, hook) =>
    serveHook(state, { lane, hook }, { onMade: writer.add, read }),
  );

  function written(attempt: MadeAttempt, recorded: boolean | null): void {
    const { eventId, hookId } = attempt.delivery;
    options.onAttempt();
    if (recorded === null) {
      setTimeout(() => lanes.free(hookId, eventId), UNWRITTEN_REST_MS).unref();
      return;
    }
    const lane = lanes.get(hookId);
    lanes.free(hookId, eventId);
    reportAttempt(attempt, recorded);
    if (recorded && attempt.result.kind === 'throttled') throttled.add(hookId);
    if (throttled.size > 0) void runCoalesced(`share ${name}`, share);
    if (!lane) return;
    lane.idleSince = performance.now();
    // A retry at once: later ones are found by the clock.
    if (attempt.next.kind === 'retry' && attempt.next.delaySeconds === 0) lane.hungry = true;
    read();
    if (state.stopping) void release();
  }

  async function share(): Promise<void> {
    const hookIds = [...throttled];
    throttled.clear();
    if (hookIds.length > 0) await shareConnectionPace(hookIds);
  }

  function release(): Promise<void> {
    return runCoalesced(`release ${name}`, async () => {
      if (await releaseLanes(state)) read();
    });
  }

  function wake(hookIds: string[]): void {
    lanes.wake(hookIds);
    read();
  }

  return {
    /** Hooks that were claimed for this drainer. */
    adopt(hooks: ClaimedHook[]): void {
      for (const hook of hooks) lanes.adopt(hook);
      read();
    },
    /** More may be due of these hooks. */
    wake,
    /**
     * Called by the clock. Moves hanging hooks to the slow part, and releases hooks that have nothing to do.
     * @param looks whether it also looks for more that is due of busy hooks
     */
    tick(looks: boolean): void {
      if (moveHanging(state)) {
        state.onRoom();
        read();
      }
      if (looks) {
        pacer.forgetOld();
        const busy = lanes.all().filter((lane) => lane.busy.size > 0);
        wake(busy.map(({ hookId }) => hookId));
      }
      void release();
    },
    /** The hooks that it knows it drains. */
    drained: () =>
      lanes
        .all()
        .filter(({ claimed }) => claimed)
        .map(({ hookId }) => hookId),
    /** How many hooks more it can take. */
    capacity: () => capacityOf(state),
    /** The lease was lost: the hooks are anyone's. What is in flight goes on, and the fence judges it. */
    lose(): void {
      for (const lane of lanes.all()) lanes.drop(lane);
    },
    /** Starts nothing more; resolves when what was in flight is written and all hooks are given back. */
    async stop(): Promise<void> {
      state.stopping = true;
      stop();
      void release();
      while (inFlight.fast + inFlight.slow > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await writer.idle();
      await release();
    },
  };
}
