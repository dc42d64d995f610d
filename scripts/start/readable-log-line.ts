import { z } from 'zod';

const WARNING = 40;
const ERROR = 50;

const text = z.string().catch('');
const entrySchema = z.object({
  level: z.number().catch(0),
  msg: text,
  event: text,
  message: text,
  err: z.object({ message: text }).catch({ message: '' }),
});

/**
 * Formats a log line of the service for the terminal: warnings and errors in one line, anything else undefined. The
 * log files contain every line.
 */
export function readableLogLine(service: string, line: string): string | undefined {
  const entry = parse(line);
  if (!entry || entry.level < WARNING) return undefined;
  // Errors contain their message; console lines have it next to the event.
  const [reason] = (entry.err.message || entry.message).split('\n');
  const kind = entry.level >= ERROR ? 'error' : 'warning';
  return `${service} ${kind}: ${entry.msg || entry.event || 'no message'}${reason ? ` (${reason})` : ''}`;
}

function parse(line: string): z.output<typeof entrySchema> | undefined {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
