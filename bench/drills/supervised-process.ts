import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProgram } from '#scripts/tools/child-program.ts';

/** A process that is restarted after each unexpected exit, as systemd does. */
export type SupervisedProcess = {
  /** Kills it (SIGKILL) until `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Returns the number of unexpected exits. */
  ended(): number;
  /** Stops it for good. */
  stop(): Promise<void>;
};

const CHECK_MS = 100;
const RESTART_MS = 1_000;

export async function supervise(start: () => Promise<ChildProgram>): Promise<SupervisedProcess> {
  let current: ChildProgram | undefined = await start();
  let [isWanted, isOver, ended] = [true, false, 0];
  const watch = async () => {
    while (!isOver) {
      await sleep(CHECK_MS);
      if (!isWanted || current?.hasEnded() === false) continue;
      if (current) ended += 1;
      current = undefined;
      await sleep(RESTART_MS);
      // A process that does not start, because the database is down, is started again.
      const started = await start().catch(() => undefined);
      if (isWanted && !isOver) current = started;
      else await started?.kill();
    }
  };
  const watching = watch();
  return {
    kill: async () => {
      isWanted = false;
      await current?.kill();
    },
    start: async () => {
      current = await start();
      isWanted = true;
    },
    ended: () => ended,
    stop: async () => {
      isOver = true;
      await watching;
      if (current?.hasEnded() === false) await current.kill();
    },
  };
}
