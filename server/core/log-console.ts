import { format, stripVTControlCharacters } from 'node:util';
import { log } from '#server/core/log.ts';

/** At what level the log has what a library writes to the console or warns of. */
const LEVELS = {
  debug: 'debug',
  trace: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
} as const;
type Method = keyof typeof LEVELS;

/** More of a line says nothing more; a client may have sent a part of it. In UTF-16 units. */
const MESSAGE_MAX_LENGTH = 2_000;

/**
 * From now on what libraries write to the console of the process, Next above all, and what Node warns of are lines of
 * the log, `console.logged`, each one JSON object: nothing else reads the output of a server. Errors are described as
 * everywhere in the log, without what was being written.
 * @param target whose methods are replaced
 * @returns puts back what was there
 */
export function logConsole(target: Pick<Console, Method> = globalThis.console): () => void {
  const methods = Object.keys(LEVELS) as Method[];
  const before = new Map(methods.map((method) => [method, target[method]]));
  for (const method of methods) target[method] = (...said: unknown[]) => logLine(LEVELS[method], said);
  const warnings = process.listeners('warning');
  const warn = (warning: Error) => logLine('warn', [`${warning.name}: ${warning.message}`]);
  process.removeAllListeners('warning').on('warning', warn);
  return () => {
    for (const [method, own] of before) target[method] = own;
    process.off('warning', warn);
    for (const listener of warnings) process.on('warning', listener);
  };
}

function logLine(level: (typeof LEVELS)[Method], said: unknown[]): void {
  const err = said.find((part) => part instanceof Error);
  const rest = said.filter((part) => part !== err);
  const message = stripVTControlCharacters(format(...rest))
    .replaceAll('\n', ' ')
    .trim()
    .slice(0, MESSAGE_MAX_LENGTH);
  if (err || message)
    log()[level]({ ...(message ? { message } : {}), ...(err ? { err } : {}) }, 'console.logged');
}
