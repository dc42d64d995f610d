import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import { applyUpdate, takeRound } from '#server/automation/deliveries/apply-update.ts';
import { cancelDeliveries } from '#server/automation/deliveries/cancel-deliveries.ts';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import {
  claimHooks,
  type DueDelivery,
  type DueHook,
  type ReleasedHook,
  readDue,
  releaseHooks,
} from '#server/automation/deliveries/hook-queue.ts';
import { recordBatch } from '#server/automation/deliveries/record-attempts.ts';
import { reportResult } from '#server/automation/deliveries/report-result.ts';
import { saveNextStarts, shareConnectionPace } from '#server/automation/deliveries/save-pace.ts';
import { attemptDelivery } from '#server/automation/deliveries/send-delivery.ts';
import type { Room } from '#server/automation/deliveries/served-hook.ts';
import {
  type End,
  isDrained,
  makeState,
  type Release,
  type Result,
  type Statement,
  type Update,
} from '#server/automation/deliveries/worker-state.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';
import { listenToDatabase } from '#server/core/live/listen-to-database.ts';
import { log } from '#server/core/log.ts';
import { checkBeforeSending, mayStart } from '#worker/check-before-sending.ts';
import type { Leases } from '#worker/leases.ts';

/**
 * Interval at which a round starts in any case, in ms. Due hooks and queued events are polled every `POLL_TICKS`
 * ticks.
 */
const TICK_MS = 250;
const POLL_TICKS = 4;
const LEASE_PAUSE_MS = 250;
/** Time for attempts in flight after the worker stops, longer than an attempt, in ms. */
const STOP_MS = 19_000;

export type Deliveries = {
  /** Returns the number of attempts that were recorded, or that could not be. */
  attempts(): number;
  /** Waits at most 19 s for attempts in flight, and releases the hooks. */
  stop(): Promise<void>;
};

/**
 * Fans out events and sends deliveries under a lease of this process until it is stopped. Everything that happens
 * is an `Update` of the worker's state. A round (`takeRound`) decides from the state what starts next; what a
 * round starts ends with another update. Commits wake the worker (`wake-workers.ts`). Once a second it polls for due work, and work
 * left by a crash.
 * @throws when the database is unreachable
 */
export async function deliver({
  dispatcher,
  leases,
  room,
}: {
  dispatcher: Dispatcher;
  leases: Leases;
  room: Room;
}): Promise<Deliveries> {
  const state = makeState(room);
  let isRoundDue = false;
  let alarm: NodeJS.Timeout | undefined;
  const checked = checkBeforeSending(dispatcher, state, leases);

  /** Applies an update and starts a round: immediately for an event, which may be the only one. */
  function update(change: Update): void {
    applyUpdate(state, change, performance.now());
    if (change.kind === 'eventsQueued' || change.kind === 'fannedOut') startRound();
    else startRoundSoon();
  }

  /** Starts one round for all updates of this turn of the event loop. */
  function startRoundSoon(): void {
    if (isRoundDue) return;
    isRoundDue = true;
    setImmediate(() => {
      isRoundDue = false;
      startRound();
    });
  }

  function startRound(): void {
    const now = performance.now();
    const { starts, statements, wakeAt } = takeRound(state, { now, mayStart: mayStart(state, leases) });
    for (const { found, deliveries } of starts) {
      for (const delivery of deliveries) void send(found, delivery);
    }
    for (const statement of statements) void run(statement);
    clearTimeout(alarm);
    // The next tick starts a round in any case.
    if (wakeAt - now < TICK_MS) alarm = setTimeout(startRoundSoon, Math.ceil(Math.max(0, wakeAt - now)));
  }

  async function send(hook: DueHook, delivery: DueDelivery): Promise<void> {
    const attempt = await attemptDelivery(checked, hook, delivery);
    update({ kind: 'sent', hook, eventId: delivery.eventId, attempt });
  }

  async function run(statement: Statement | End): Promise<void> {
    const result = await runStatement(statement);
    update(result);
    reportResult(result);
  }

  async function holdLease(): Promise<void> {
    const leaseId = `deliveries-${crypto.randomUUID()}`;
    await leases.hold(leaseId, () => void replaceLease());
    update({ kind: 'leased', leaseId });
  }

  async function replaceLease(): Promise<void> {
    update({ kind: 'leaseLost' });
    while (!state.stopping) {
      try {
        return await holdLease();
      } catch (error) {
        log().warn({ err: error }, 'worker.deliveries_without_lease');
        await sleep(LEASE_PAUSE_MS);
      }
    }
  }

  await holdLease();
  const listener = listenToDatabase({
    channel: WORK_CHANNEL,
    onPayload: (payload) => {
      if (payload === 'events') update({ kind: 'eventsQueued' });
      else if (payload === 'hooks') update({ kind: 'hooksDue' });
      else update({ kind: 'hookChanged', hookId: payload });
    },
    onListening: () => update({ kind: 'hooksDue' }),
  });
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    update({ kind: 'tick', polls: ticks % POLL_TICKS === 0 });
  }, TICK_MS);
  // Nothing starts while a lease cannot be renewed; afterwards poll for work that arrived in the meantime.
  leases.onBack(() => {
    listener.retry();
    update({ kind: 'tick', polls: false });
    update({ kind: 'hooksDue' });
  });

  return {
    attempts: () => state.attempts,
    stop: async () => {
      update({ kind: 'stopping' });
      const giveUpAt = performance.now() + STOP_MS;
      while (!isDrained(state) && performance.now() < giveUpAt) await sleep(20);
      clearInterval(timer);
      clearTimeout(alarm);
      listener.close();
      const { leaseId } = state;
      update({ kind: 'leaseLost' });
      if (leaseId === null) return;
      await leases.release(leaseId).catch((error: unknown) => {
        log().warn({ err: error }, 'worker.deliveries_not_released');
      });
    },
  };
}

/**
 * Runs a statement that a round planned. Never rejects.
 * @returns the statement with its result, null after a failure
 */
async function runStatement(statement: Statement | End): Promise<Result> {
  switch (statement.kind) {
    case 'fanOut': {
      const result = await orNull(fanOut(statement), 'run.failed', { name: 'fan-out' });
      return { kind: 'fannedOut', by: statement, result };
    }
    case 'claim': {
      const { leaseId, limits, served } = statement;
      const result = await orNull(claimHooks(leaseId, limits, served), 'run.failed', { name: 'claim-hooks' });
      return { kind: 'claimed', by: statement, result };
    }
    case 'read': {
      const { leaseId, hooks } = statement;
      return {
        kind: 'read',
        by: statement,
        result: await orNull(readDue(leaseId, hooks), 'deliveries.not_read'),
      };
    }
    case 'record':
      return { kind: 'recorded', result: await recordBatch(statement.attempts) };
    case 'release':
      return {
        kind: 'released',
        by: statement,
        result: await orNull(release(statement), 'deliveries.not_released'),
      };
    case 'sharePace':
      // The next 429 shares the pace again.
      await orNull(shareConnectionPace(statement.hookIds), 'deliveries.pace_not_shared');
      return { kind: 'paceShared' };
    case 'end': {
      const { hook } = statement;
      const isDone = await orNull(end(statement), 'hook.not_ended', { hookId: hook.hookId });
      return { kind: 'ended', hook, isDone: isDone !== null };
    }
  }
}

async function orNull<T>(result: Promise<T>, failed: string, fields: object = {}): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    log().warn({ err: error, ...fields }, failed);
    return null;
  }
}

/** Saves when paced hooks may start again, for the workers that serve them next. */
async function release({ leaseId, hooks }: Release): Promise<ReleasedHook[]> {
  const rests = hooks.flatMap(({ hookId, restMs }) => (restMs === null ? [] : [{ hookId, restMs }]));
  if (rests.length > 0) await saveNextStarts(rests);
  return releaseHooks(leaseId, hooks);
}

/**
 * Cancels the deliveries of a removed hook, or ends the connection of a teammate who may no longer connect.
 */
async function end({ hook: { hookId, found }, inFlight }: End): Promise<true> {
  const { connectionId: id, workspaceId, userId } = found;
  if (found.isLive) await inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
  else await cancelDeliveries(hookId, inFlight);
  return true;
}
