import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isStartedByNpm } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { explainDatabaseError, reasonOf } from '#server/core/user-error.ts';

let ending = false;

/** Returns whether the process is shutting down. */
export function isEnding(): boolean {
  return ending;
}

/**
 * Frees the memory that loading the service took, a third of the process, and keeps V8 from filling it with garbage.
 * @param growth growth of the live heap, in percent, before V8 runs a full collection. On a machine with much memory V8 allows
 *     fourfold growth.
 */
export function keepHeapSmall(growth: number): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}

/** Time to shut down, in ms: longer than work in flight may take, shorter than supervisors (25 s or more) wait before they kill. */
const END_MS = 23_000;

/**
 * Shuts down on SIGTERM and SIGINT, and when the parent process exits: `drain` finishes the work in flight, then the process
 * exits. Further signals are ignored. A drain that takes too long, for example because the database does not respond, is given up.
 */
export function endOnSignals(drain: () => Promise<void>, endMs = END_MS): void {
  const end = (cause: string) => {
    if (ending) return;
    ending = true;
    log().info({ cause }, 'process.ending');
    const giveUp = (error: unknown) => {
      log().error({ err: error }, 'process.failed_to_end');
      process.exit(1);
    };
    setTimeout(() => giveUp(new Error(`Shutting down took longer than ${endMs} ms.`)), endMs);
    drain().then(() => process.exit(0), giveUp);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (process.send) process.on('disconnect', () => end('disconnect'));
  if (isStartedByNpm()) watchParent(() => end('npm has ended'));
}

/** Interval of checking the parent process, in ms. */
const WATCH_MS = 500;

/** Detects the exit of the shell through which npm runs a script: it dies of a signal without forwarding it. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, WATCH_MS);
  watch.unref();
}

/** Writes to stderr why the process cannot start, and exits. */
export function failStart(error: unknown): never {
  const explained = explainDatabaseError(error);
  const message = explained instanceof Error ? explained.message : String(explained);
  process.stderr.write(`${message || reasonOf(explained)}\n`);
  process.exit(1);
}
