import pino from 'pino';
import { describeError } from '#server/describe-error.ts';
import { settings } from '#server/env.ts';

const shared = globalThis as typeof globalThis & { serviceLog?: pino.Logger };

/**
 * The process's log: one JSON line per unit of work, named `subject.happened`, with ids.
 * Tokens, codes, secrets, bodies and query strings are never passed to it; the paths below are a second net.
 */
export function log(): pino.Logger {
  shared.serviceLog ??= pino({
    level: settings().LOG_LEVEL,
    base: { pid: process.pid },
    serializers: { err: describeError },
    redact: ['*.authorization', '*.cookie', '*.password', '*.token', '*.code', '*.client_secret'],
  });
  return shared.serviceLog;
}
