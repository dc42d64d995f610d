import pino from 'pino';
import { describeError } from '#server/ground/describe-error.ts';
import { settings } from '#server/ground/env.ts';

/** Names under which secrets travel; a value under one of them is not written. */
const SECRET_NAMES = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'code',
  'code_verifier',
  'client_secret',
];

/** Codes and tokens of connections, as they are issued (spec.md §5), and tokens of visitors of web chats. */
const ISSUED = /(kz[acrv]_)[0-9A-Za-z]+/g;

/** Lines are written together, so many bytes of them or what there is after so long, and all that is left when the process ends. */
const BATCH_BYTES = 4_096;
const BATCH_MS = 100;

const shared = globalThis as typeof globalThis & { serviceLog?: pino.Logger };

/**
 * The process's log: one JSON line per unit of work, named `subject.happened`, with ids.
 * Tokens, codes, secrets, bodies and query strings are never passed to it. Should one be all the same, because a client
 * sent it where it does not belong, there are two nets: some names are never written, and what looks like a code or
 * token is cut off wherever it is.
 */
export function log(): pino.Logger {
  shared.serviceLog ??= makeLog(
    pino.destination({ sync: false, minLength: BATCH_BYTES, periodicFlush: BATCH_MS }),
  );
  return shared.serviceLog;
}

/** A log that writes to a destination, with the level of `LOG_LEVEL` and the same two nets. */
export function makeLog(destination: pino.DestinationStream): pino.Logger {
  return pino(
    {
      level: settings().LOG_LEVEL,
      base: { pid: process.pid },
      serializers: { err: describeError },
      redact: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
      hooks: { streamWrite: (line) => line.replaceAll(ISSUED, '$1…') },
    },
    destination,
  );
}
