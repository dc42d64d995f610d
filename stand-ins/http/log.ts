// A closed pipe, for example after the parent was killed, must not prevent a clean shutdown.
process.stdout.on('error', () => {});

type Detail = string | number | boolean | null;

/**
 * Writes one JSON line per unit of work. Callers pass ids, keys and statuses, never tokens, codes, secrets, bodies or
 * query strings.
 */
export function log(event: string, details: Record<string, Detail> = {}): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`);
}
