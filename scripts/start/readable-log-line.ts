const WARNING = 40;
const ERROR = 50;

/**
 * A service's log line as it is shown on the screen: warnings and errors in one line, all else not at all.
 * The log files keep everything.
 */
export function readableLogLine(service: string, line: string): string | undefined {
  const entry = parse(line);
  if (!entry) return undefined;
  const level = typeof entry.level === 'number' ? entry.level : 0;
  if (level < WARNING) return undefined;
  const reason = reasonIn(entry.err) ?? reasonIn(entry);
  const text =
    [entry.msg, entry.event].find((each) => typeof each === 'string' && each !== '') ?? 'no message';
  const kind = level >= ERROR ? 'error' : 'warning';
  return `${service} ${kind}: ${text}${reason ? ` (${reason})` : ''}`;
}

function parse(line: string): { level?: unknown; msg?: unknown; event?: unknown; err?: unknown } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The first line of a message, be it an error's or the entry's own. */
function reasonIn(err: unknown): string | undefined {
  if (typeof err !== 'object' || err === null || !('message' in err)) return undefined;
  return typeof err.message === 'string' ? err.message.split('\n')[0] : undefined;
}
