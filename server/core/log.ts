import pino from 'pino';
import { describeError } from '#server/core/describe-error.ts';
import { settings } from '#server/core/env.ts';

/** Names under which secrets travel; a value under one of them is not written. */
const SECRET_NAMES = new Set([
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'code',
  'code_verifier',
  'client_secret',
]);
const HIDDEN = '[Redacted]';

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
      formatters: { log: hideSecrets },
      hooks: { streamWrite: (line) => line.replaceAll(ISSUED, '$1…') },
    },
    destination,
  );
}

/**
 * The fields of a line without what is under the name of a secret, in them and in what they hold. The library's own
 * `redact` copies every line for it, which took ten times as long as all the rest of a line. An error's fields are chosen by
 * its serializer.
 */
function hideSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (SECRET_NAMES.has(name)) shown[name] = HIDDEN;
    else shown[name] = isRecord(value) ? hideNames(value) : value;
  }
  return shown;
}

function hideNames(record: Record<string, unknown>): Record<string, unknown> {
  const secret = Object.keys(record).filter((name) => SECRET_NAMES.has(name));
  return secret.length === 0
    ? record
    : { ...record, ...Object.fromEntries(secret.map((name) => [name, HIDDEN])) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Error);
}
