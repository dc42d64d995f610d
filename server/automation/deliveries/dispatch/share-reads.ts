import {
  type DueHook,
  type ReadRequest,
  readDue,
} from '#server/automation/deliveries/dispatch/hook-queue.ts';
import {
  type Claim,
  freeSlots,
  partOf,
  type RoomCount,
  type ServedHook,
} from '#server/automation/deliveries/dispatch/next-step.ts';
import { hookLimits, type Pace } from '#server/automation/deliveries/dispatch/pace.ts';
import { batched } from '#server/core/batched.ts';
import { log } from '#server/core/log.ts';

/** Maximum age of a hook's last read while fan-outs replace its reads, in ms: only a read finds retries. */
const READ_AGE_MS = 1_000;

/** `lost`: the worker no longer serves the hook. `withdrawn`: the hook was woken before its turn. */
export type ReadResult = DueHook | 'lost' | 'failed' | 'withdrawn';

export type ReadingWorker = {
  leaseId: () => string;
  mayStart: () => boolean;
  isStopping: () => boolean;
  room: RoomCount;
  pace: Pace;
  /** Called after each read, which may have used less room than it reserved. */
  onRoom: () => void;
};

/**
 * Reads due deliveries for all hooks of a worker, one statement at a time. A hook waits until room and pace
 * allow a start. The hook that has waited longest is read first.
 */
export function shareReads(worker: ReadingWorker) {
  const reading = new Set<Claim>();
  const reads = batched<Claim, ReadResult>(read);
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  async function read(waiting: Claim[]): Promise<Map<Claim, ReadResult>> {
    const results = new Map<Claim, ReadResult>();
    if (!worker.mayStart()) return results;
    const oldestFirst = waiting.toSorted((a, b) => a.hook.readAt - b.hook.readAt);
    const requests = shareRoom(oldestFirst, worker, retryIn);
    if (requests.size === 0) return results;
    const startedAt = performance.now();
    for (const claim of requests.keys()) {
      reading.add(claim);
      claim.hook.due = 'none';
      claim.hook.readAt = startedAt;
    }
    try {
      const due = await readDue(worker.leaseId(), [...requests.values()]);
      const found = new Map(due.map((hook) => [hook.hookId, hook]));
      for (const claim of requests.keys()) results.set(claim, found.get(claim.hook.hookId) ?? 'lost');
    } catch (error) {
      log().warn({ err: error }, 'deliveries.not_read');
      for (const claim of requests.keys()) results.set(claim, 'failed');
    }
    const endedAt = performance.now();
    for (const { hook } of requests.keys()) hook.idleSince = endedAt;
    reading.clear();
    reads.retry();
    setImmediate(worker.onRoom);
    return results;
  }

  /** Schedules another read, for hooks that wait for their pace. */
  function retryIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY;
      reads.retry();
    }, Math.ceil(ms));
  }

  /**
   * Returns whether the delivery of a fan-out is all that a read of the hook would find, so that the read is
   * omitted. The hook has had no other addition since its last read, or is new in the queue.
   */
  function isReplacedBy(claim: Claim, { wakes, sharedFor }: DueHook): boolean {
    const { hook } = claim;
    const now = performance.now();
    const isComplete = wakes === claim.wakes + 1 && hook.due === 'more' && now - hook.readAt < READ_AGE_MS;
    const isIdle = hook.inFlight.size === 0 && reading.size === 0 && worker.room.free(partOf(hook)) > 0;
    if (!isComplete || !isIdle || sharedFor !== null) return false;
    hook.due = 'none';
    hook.idleSince = now;
    return true;
  }

  return {
    request: reads.request,
    isReplacedBy,
    retry: reads.retry,
    /** Makes a hook that waits for its turn decide again. */
    withdraw(claim: Claim): void {
      if (!reading.has(claim)) reads.withdraw(claim, 'withdrawn');
    },
    isReading: (claim: Claim): boolean => reading.has(claim),
    stop: (): void => clearTimeout(timer),
  };
}

export type SharedReads = ReturnType<typeof shareReads>;

/**
 * Shares the free room evenly between the hooks that may start attempts, within their own limits and paces.
 * Hooks that share their connection's pace start one at a time. A changed hook is read even without
 * room.
 * @param claims in the order in which they get room
 * @param retryIn called with the time until a paced hook may start, in ms
 */
function shareRoom(
  claims: Claim[],
  { room, pace, isStopping }: ReadingWorker,
  retryIn: (ms: number) => void,
): Map<Claim, ReadRequest> {
  const requests = new Map<Claim, ReadRequest>();
  const { inFlight } = hookLimits();

  const wantedBy = (hook: ServedHook): number => {
    if (isStopping()) return 0;
    const { waitMs, together } = pace.next({
      hookId: hook.hookId,
      connectionId: hook.connectionId ?? hook.hookId,
    });
    if (waitMs > 0) retryIn(waitMs);
    return waitMs > 0 ? 0 : Math.min(freeSlots(hook, inFlight), together);
  };

  for (const part of ['fast', 'slow'] as const) {
    const wanting = claims
      .filter(({ hook }) => partOf(hook) === part)
      .map((claim) => ({ claim, wanted: wantedBy(claim.hook) }));
    const startingConnections = new Set<string>();
    let left = Math.max(0, room.free(part));
    let others = wanting.filter(({ wanted }) => wanted > 0).length;
    for (const { claim, wanted } of wanting) {
      const { hook } = claim;
      const { hookId, connectionId } = hook;
      let most = Math.min(wanted, left, Math.max(1, Math.floor(left / Math.max(1, others))));
      if (wanted > 0) {
        others -= 1;
        if (left > 0) hook.starvedSince = null;
        else if (hook.inFlight.size === 0) hook.starvedSince ??= performance.now();
      }
      if (most > 0 && connectionId !== null && pace.isShared(connectionId)) {
        if (startingConnections.has(connectionId)) most = 0;
        startingConnections.add(connectionId);
      }
      if (most === 0 && hook.due !== 'changed') continue;
      left -= most;
      requests.set(claim, { hookId, most, busy: [...hook.inFlight.keys()] });
    }
  }
  return requests;
}
