import { parentPort } from 'node:worker_threads';
import { MAIL_PROCESS_MAX_BYTES, MAIL_PROCESS_MS } from '#server/inbox/mail-parser/mail-limits.ts';

/** Interval of the checks, in ms. A parser can allocate about 50 MB in one interval. */
const CHECK_MS = 25;

/**
 * Signals that end the process, one for each limit. V8's own limits cover only its heap. `ulimit -v` does not help: V8
 * reserves far more address space than it uses.
 */
export const TOOK_TOO_LONG = 'SIGVTALRM';
export const TOOK_TOO_MUCH_MEMORY = 'SIGUSR2';

let before: NodeJS.CpuUsage | undefined;

parentPort?.on('message', (message: 'begin' | 'end') => {
  before = message === 'begin' ? process.cpuUsage() : undefined;
});
if (parentPort) {
  setInterval(() => {
    if (!before) return;
    if (process.memoryUsage.rss() > MAIL_PROCESS_MAX_BYTES) process.kill(process.pid, TOOK_TOO_MUCH_MEMORY);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 > MAIL_PROCESS_MS) process.kill(process.pid, TOOK_TOO_LONG);
  }, CHECK_MS);
}
