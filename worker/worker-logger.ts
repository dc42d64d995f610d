import { Logger } from 'graphile-worker';
import { log } from '#server/core/log.ts';

/** The library's own lines: what goes wrong, its advice, and the rest for those who look for it. */
export function workerLogger(): Logger {
  return new Logger(() => (level, message, meta) => {
    const line = { message, ...meta };
    if (level === 'error') log().warn(line, 'worker.logged');
    else if (level === 'warning') log().info(line, 'worker.logged');
    else log().debug(line, 'worker.logged');
  });
}
