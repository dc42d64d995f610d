import pino from 'pino';
import { describeError } from '#server/core/describe-error.ts';
import { settings } from '#server/core/env.ts';
import { openLineWriter } from '#server/core/open-line-writer.ts';

/** Names of fields whose values are never written. */
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

/** Codes and tokens of connections (docs/spec.md §5), tokens of web chat visitors and API tokens, and secrets of webhooks. */
const ISSUED = /(kz[acrv]_|_pk_(?:live|test)_|whsec_)[0-9A-Za-z+/]+/g;

let current: pino.Logger | undefined;

/**
 * Returns the log of the process: one JSON line per unit of work, named `subject.happened`, with ids. Callers never pass tokens,
 * codes, secrets, bodies or query strings. Two safeguards cover a client that sends a secret in the wrong place: fields with
 * certain names are redacted, and anything that looks like a code or token is cut.
 */
export function log(): pino.Logger {
  current ??= openLog();
  return current;
}

function openLog(): pino.Logger {
  const writer = openLineWriter(process.stdout.fd);
  process.on('exit', () => writer.flushSync());
  return makeLog(writer);
}

/** Replaces the log of the process, or changes its level if it has one. For tests. */
export function replaceLog(to: { log: pino.Logger | undefined } | { level: string }): void {
  if ('log' in to) current = to.log;
  else if (current) current.level = to.level;
}

/** Returns a log that writes to `destination`, with the level of `LOG_LEVEL` and the same safeguards. */
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
 * Redacts the secrets of a line, in its fields and one level below. The library's own `redact` copies every line, which took ten
 * times as long as the rest of a line. The serializer of errors selects their fields.
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
