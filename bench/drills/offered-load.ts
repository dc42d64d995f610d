import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { projectDir } from '#server/core/project.ts';

/** The conversations that `bench/programs/single-changes.ts` changes. */
export type SingleChanges = { workspaceId: string; teammate: Teammate; conversations: string[] };

/** Request for one change. `each`: number of its deliveries, used only by the other queues. */
export type SingleChange = { number: number; each: number };

/** Response to a request. `id`: of the event, where the program chooses it. */
type ChangeResult = { number: number; id?: string; isCommitted: boolean };

/** A constant rate of changes, whatever happens to the database. */
export type OfferedLoad = {
  /** Sets the rate, in changes a second. */
  setRate(perSecond: number): void;
  /** Makes changes in addition, as fast as the writers can. */
  burst(changes: number): Promise<void>;
  /** Stops and returns the number of committed changes, and their ids where the program chooses them. */
  stop(): Promise<{ committed: number; ids: string[] }>;
};

/** Maximum number of changes in flight. Further ones are left out: an outage leaves no backlog of changes. */
export const MAX_IN_FLIGHT = 16;
const TICK_MS = 20;
/** Time after which a change without a response no longer holds a writer, in ms. */
const PATIENCE_MS = 5_000;

/**
 * Starts a program that makes one change for each order.
 * @param each number of deliveries of a change
 */
export async function offerLoad(
  program: string,
  args: string[],
  { env = {}, each }: { env?: Record<string, string>; each: number },
): Promise<OfferedLoad> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: projectDir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', process.env.DRILL_OUTPUT ? 'inherit' : 'ignore', 'ipc'],
  });
  let hasEnded = false;
  const ended = once(child, 'exit').then(() => {
    hasEnded = true;
  });
  await Promise.race([once(child, 'message'), ended]);
  if (hasEnded) throw new Error(`${program} did not start.`);

  const inFlight = new Map<number, number>();
  const ids: string[] = [];
  let [sent, committed, perSecond, due, lastTick] = [0, 0, 0, 0, performance.now()];
  child.on('message', ({ number, id, isCommitted }: ChangeResult) => {
    inFlight.delete(number);
    if (!isCommitted) return;
    committed += 1;
    if (id !== undefined) ids.push(id);
  });
  const send = () => {
    if (hasEnded) throw new Error(`${program} ended.`);
    sent += 1;
    inFlight.set(sent, performance.now());
    child.send({ number: sent, each } satisfies SingleChange);
  };
  const tick = () => {
    const now = performance.now();
    for (const [number, at] of inFlight) if (now - at > PATIENCE_MS) inFlight.delete(number);
    due += ((now - lastTick) / 1_000) * perSecond;
    lastTick = now;
    for (; due >= 1; due -= 1) if (inFlight.size < MAX_IN_FLIGHT) send();
  };
  const timer = setInterval(tick, TICK_MS);
  return {
    setRate: (rate) => {
      perSecond = rate;
    },
    burst: async (changes) => {
      for (let left = changes; left > 0; ) {
        if (inFlight.size < MAX_IN_FLIGHT) {
          send();
          left -= 1;
        } else await sleep(1);
      }
    },
    stop: async () => {
      clearInterval(timer);
      const deadline = performance.now() + PATIENCE_MS;
      while (inFlight.size > 0 && performance.now() < deadline) await sleep(TICK_MS);
      child.kill('SIGTERM');
      await ended;
      return { committed, ids };
    },
  };
}
