// A reader that went away (a parent that was killed) must not stop the orderly end.
process.stdout.on('error', () => {});

type Detail = string | number | boolean | null;

/**
 * Writes one JSON line about one unit of work. Callers pass ids, keys and statuses,
 * never tokens, codes, secrets, bodies or query strings.
 */
export function log(event: string, details: Record<string, Detail> = {}): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`);
}
