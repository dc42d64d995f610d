import type { Dispatcher } from 'undici';
import { checkStillAllowed } from '#server/connections/check-still-allowed.ts';
import { inTransaction } from '#server/db.ts';
import { cancelDeliveries } from '#server/deliveries/cancel-deliveries.ts';
import { askLanes } from '#server/deliveries/drain/ask-lanes.ts';
import { type ClaimedHook, releaseHooks } from '#server/deliveries/drain/drains.ts';
import {
  isIdle,
  type Lane,
  learnStanding,
  makeLane,
  partOf,
  type Room,
} from '#server/deliveries/drain/lane.ts';
import { makeAttempt } from '#server/deliveries/drain/make-attempt.ts';
import { makePacer } from '#server/deliveries/drain/pacer.ts';
import { type DueHook, readDue } from '#server/deliveries/drain/read-due.ts';
import { makeResultWriter } from '#server/deliveries/drain/result-writer.ts';
import { keepPaces, sharePace } from '#server/deliveries/drain/share-pace.ts';
import { noteAttempt } from '#server/deliveries/note-attempt.ts';
import type { MadeAttempt } from '#server/deliveries/record-attempts.ts';
import { log } from '#server/log.ts';
import { runCoalesced } from '#server/run-coalesced.ts';
import { isManaging } from '#server/teammates/roles.ts';

/** A hook with nothing to do is kept for so long: the next event finds its drainer there. */
const LINGER_MS = 250;
/** One that finds no room in this worker goes back after so long: another worker may have some. */
const STARVED_MS = 1_000;
/** What could not be written is not sent again for so long. */
const UNWRITTEN_REST_MS = 60_000;

/**
 * Drains the hooks that it is given: reads what is due, keeps at most so many attempts of each in flight as its
 * limit and pace allow, writes the results, and gives a hook back when nothing more is due. All hooks share their
 * statements: each takes what gathered while the one before it was under way.
 */
export function makeDrainer(options: {
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
}) {
  const lanes = new Map<string, Lane>();
  const pacer = makePacer();
  const inFlight: Room = { fast: 0, slow: 0 };
  const name = crypto.randomUUID();
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  const writer = makeResultWriter(written);

  const read = () => void runCoalesced(`read ${name}`, readAndStart);
  const roomIn = (part: keyof Room) => options.room[part] - inFlight[part];
  const lanesOf = (part: keyof Room) => [...lanes.values()].filter((lane) => partOf(lane) === part);

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

  async function readAndStart(): Promise<void> {
    if (!options.mayStart()) return;
    const free = { fast: roomIn('fast'), slow: roomIn('slow') };
    const asked = askLanes([...lanes.values()], { free, pacer, stopping, waitMs: readIn });
    if (asked.asks.length === 0) return;
    for (const lane of asked.lanes) {
      Object.assign(lane, { reading: true, hungry: false, look: false });
      lanes.delete(lane.hookId);
      lanes.set(lane.hookId, lane);
    }
    const found = new Map<string, DueHook>();
    try {
      for (const hook of await readDue(options.id(), asked.asks)) found.set(hook.hookId, hook);
    } catch (error) {
      for (const lane of asked.lanes) lane.hungry = true;
      readIn(LINGER_MS);
      throw error;
    } finally {
      for (const lane of asked.lanes) lane.reading = false;
    }
    for (const [place, lane] of asked.lanes.entries()) {
      const hook = found.get(lane.hookId);
      if (hook) serve(lane, hook, asked.asks[place]?.most ?? 0);
      else drop(lane);
    }
    if (!stopping) read();
  }

  /** How many hooks of a connection this worker drains. */
  function ownOf(connectionId: string): number {
    return [...lanes.values()].filter((lane) => lane.claimed && lane.connectionId === connectionId).length;
  }

  /** What a read found of one hook. */
  function serve(lane: Lane, hook: DueHook, most: number): void {
    learnStanding(lane, hook);
    const part =
      hook.sharedFor === null ? 1 : Math.min(1, ownOf(hook.connectionId) / Math.max(1, hook.sharers));
    pacer.learn(hook, { ...hook, part });
    if (!hook.isLive) {
      void end(lane, async () => {
        await cancelDeliveries(lane.hookId, [...lane.busy]);
        return false;
      });
    } else if (!hook.role || !isManaging(hook.role)) {
      const { connectionId: id, workspaceId, userId } = hook;
      void end(lane, async () => {
        await inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
        return true;
      });
    } else {
      const pace = pacer.next(hook);
      const mayStart = options.mayStart() && !stopping && lane.claimed && pace.waitMs <= 0;
      const starting = mayStart ? hook.due.slice(0, pace.together) : [];
      if (hook.due.length >= most || starting.length < hook.due.length) lane.hungry = true;
      pacer.started(hook, starting.length);
      for (const due of starting) {
        lane.starvedSince = null;
        void start(lane, hook, due);
      }
    }
    lane.idleSince = performance.now();
  }

  async function start(lane: Lane, hook: DueHook, due: DueHook['due'][number]): Promise<void> {
    const part = partOf(lane);
    lane.busy.add(due.eventId);
    lane.inFlight += 1;
    inFlight[part] += 1;
    const attempt = await makeAttempt(options.dispatcher, hook, due);
    lane.inFlight -= 1;
    inFlight[part] -= 1;
    options.onRoom();
    const { kind } = attempt.result;
    if (kind === 'throttled') pacer.throttle(hook);
    if (kind === 'timed_out') lane.slow = true;
    else if ('answer' in attempt.result) lane.slow = false;
    writer.add(attempt);
    read();
  }

  function written(attempt: MadeAttempt, recorded: boolean | null): void {
    const { eventId, hookId } = attempt.delivery;
    const lane = lanes.get(hookId);
    const free = () => {
      lane?.busy.delete(eventId);
      if (lane && !lane.claimed && isIdle(lane)) lanes.delete(hookId);
    };
    options.onAttempt();
    if (recorded === null) {
      setTimeout(free, UNWRITTEN_REST_MS).unref();
      return;
    }
    free();
    noteAttempt(attempt, recorded);
    if (recorded && attempt.result.kind === 'throttled') throttled.add(hookId);
    if (throttled.size > 0) void runCoalesced(`share ${name}`, share);
    if (!lane) return;
    lane.idleSince = performance.now();
    // A retry at once: later ones are found by the clock.
    if (attempt.next.kind === 'retry' && attempt.next.delaySeconds === 0) lane.hungry = true;
    read();
    if (stopping) release();
  }

  const throttled = new Set<string>();
  async function share(): Promise<void> {
    const hookIds = [...throttled];
    throttled.clear();
    if (hookIds.length > 0) await sharePace(hookIds);
  }

  /** Ends the deliveries of a removed hook, or the connection of a teammate who may not connect any more. */
  async function end(lane: Lane, work: () => Promise<boolean>): Promise<void> {
    lane.ending = true;
    try {
      if (await work()) lane.hungry = true;
    } catch (error) {
      log().warn({ err: error, hookId: lane.hookId }, 'hook.not_ended');
      setTimeout(() => wake([lane.hookId]), STARVED_MS).unref();
    } finally {
      lane.ending = false;
    }
    read();
  }

  function drop(lane: Lane): void {
    lane.claimed = false;
    if (isIdle(lane)) lanes.delete(lane.hookId);
  }

  function release(): void {
    void runCoalesced(`release ${name}`, releaseIdle);
  }

  async function releaseIdle(): Promise<void> {
    const now = performance.now();
    const given = [...lanes.values()].filter((lane) => {
      if (!lane.claimed || !isIdle(lane)) return false;
      const isDone = !lane.hungry && !lane.look && now - lane.idleSince >= LINGER_MS;
      return stopping || isDone || (lane.starvedSince !== null && now - lane.starvedSince >= STARVED_MS);
    });
    if (given.length === 0) return;
    const rests = given.flatMap((lane) => {
      const restMs = pacer.restMs(lane);
      return restMs === null ? [] : [{ hookId: lane.hookId, restMs }];
    });
    for (const lane of given) lane.releasing = true;
    const claims = given.map((lane) => lane.claims);
    try {
      if (rests.length > 0) await keepPaces(rests);
      const released = new Map((await releaseHooks(options.id(), given)).map((hook) => [hook.hookId, hook]));
      for (const [place, lane] of given.entries()) {
        const hook = released.get(lane.hookId);
        lane.releasing = false;
        if (lane.claims !== claims[place]) continue;
        if (!hook) {
          lane.look = lane.hungry = true;
          continue;
        }
        drop(lane);
        if (lane.hungry || (hook.dueInMs !== null && hook.dueInMs < STARVED_MS)) {
          setTimeout(options.onDue, Math.max(0, hook.dueInMs ?? 0)).unref();
        }
      }
    } finally {
      for (const lane of given) lane.releasing = false;
    }
    read();
  }

  /** More may be due of these hooks. */
  function wake(hookIds: string[]): void {
    for (const hookId of hookIds) {
      const lane = lanes.get(hookId);
      if (lane) lane.hungry = lane.look = true;
    }
    read();
  }

  return {
    /** Hooks that were claimed for this drainer. */
    adopt(hooks: ClaimedHook[]): void {
      for (const { hookId, slow } of hooks) {
        const lane = lanes.get(hookId) ?? makeLane(hookId, slow);
        lanes.set(hookId, lane);
        if (!lane.claimed) lane.look = false;
        lane.claimed = true;
        lane.claims += 1;
        lane.hungry = true;
        lane.starvedSince = null;
      }
      read();
    },
    wake,
    /** Looks at all hooks again, and gives back those that have nothing to do: by the clock. */
    tick(looks: boolean): void {
      if (looks) {
        pacer.forgetOld();
        wake([...lanes.values()].filter(({ busy }) => busy.size > 0).map(({ hookId }) => hookId));
      }
      release();
    },
    /** How many hooks more it can take. */
    capacity(): Room {
      const open = (part: keyof Room) => {
        const wanting = lanesOf(part).filter((lane) => lane.inFlight === 0 && (lane.hungry || lane.reading));
        return stopping ? 0 : Math.max(0, roomIn(part) - wanting.filter(({ claimed }) => claimed).length);
      };
      return { fast: open('fast'), slow: open('slow') };
    },
    /** The lease was lost: the hooks are anybody's. What is in flight goes on, and the fence judges it. */
    lose(): void {
      for (const lane of [...lanes.values()]) drop(lane);
    },
    /** Starts nothing more; resolves when what was in flight is written and all hooks are given back. */
    async stop(): Promise<void> {
      stopping = true;
      clearTimeout(timer);
      release();
      while (inFlight.fast + inFlight.slow > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await writer.idle();
      await runCoalesced(`release ${name}`, releaseIdle);
    },
  };
}

export type Drainer = ReturnType<typeof makeDrainer>;
