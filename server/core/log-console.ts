import { format, stripVTControlCharacters } from 'node:util';
import { log } from '#server/core/log.ts';

/** Log level of each console method. */
const LEVELS = {
  debug: 'debug',
  trace: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
} as const;
type Method = keyof typeof LEVELS;

/** Maximum length of a message, in UTF-16 units. It may contain text of a client. */
const MESSAGE_MAX_LENGTH = 2_000;

/**
 * Redirects the console, which Next and other libraries use, and Node's warnings to the log, as `console.logged`, so that a
 * process writes only JSON lines. Errors have the same form as elsewhere in the log.
 * @param target object whose methods are replaced
 * @returns function that restores the previous methods
 */
export function logConsole(target: Pick<Console, Method> = globalThis.console): () => void {
  const methods = Object.keys(LEVELS) as Method[];
  const before = new Map(methods.map((method) => [method, target[method]]));
  for (const method of methods) target[method] = (...parts: unknown[]) => logLine(LEVELS[method], parts);
  const warnings = process.listeners('warning');
  const warn = (warning: Error) => logLine('warn', [`${warning.name}: ${warning.message}`]);
  process.removeAllListeners('warning').on('warning', warn);
  return () => {
    for (const [method, own] of before) target[method] = own;
    process.off('warning', warn);
    for (const listener of warnings) process.on('warning', listener);
  };
}

function logLine(level: (typeof LEVELS)[Method], parts: unknown[]): void {
  const err = parts.find((part) => part instanceof Error);
  const rest = parts.filter((part) => part !== err);
  const message = stripVTControlCharacters(format(...rest))
    .replaceAll('\n', ' ')
    .trim()
    .slice(0, MESSAGE_MAX_LENGTH);
  if (err || message)
    log()[level]({ ...(message ? { message } : {}), ...(err ? { err } : {}) }, 'console.logged');
}
