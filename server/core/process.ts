import { isStartedByNpm } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';

let ending = false;

/** Whether the process was asked to end. */
export function isEnding(): boolean {
  return ending;
}

/**
 * Ends the process in order on SIGTERM and SIGINT, and when the supervisor that started it is gone: `drain`
 * finishes what is under way, then the process exits. A second signal changes nothing.
 */
export function endOnSignals(drain: () => Promise<void>): void {
  const end = (cause: string) => {
    if (ending) return;
    ending = true;
    log().info({ cause }, 'process.ending');
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log().error({ err: error }, 'process.failed_to_end');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (process.send) process.on('disconnect', () => end('disconnect'));
  if (isStartedByNpm()) watchParent(() => end('npm has ended'));
}

/** How often the parent is looked at, in milliseconds. */
const WATCH_MS = 500;

/** npm starts a script through a shell, which dies of a signal without passing it on: then the parent changes. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, WATCH_MS);
  watch.unref();
}

/** Says in plain lines on stderr why the process cannot start, and ends it. */
export function failStart(error: unknown, port?: number): never {
  process.stderr.write(`${startFailure(error, port)}\n`);
  process.exit(1);
}

function startFailure(error: unknown, port: number | undefined): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop what listens there, or set PORT to another one.`;
  }
  if (code === 'EACCES') {
    return `Port ${port} may not be opened by this user. Set PORT to one above 1023.`;
  }
  return error.message;
}
