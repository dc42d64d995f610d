const MINUTE_MS = 60_000;
/** Lists show SLA targets that are due within this time. */
const SOON_MS = 60 * MINUTE_MS;

/** Returns the hint for an SLA target: `Overdue` or `Due in 25 min`. Null when it is due in more than an hour. */
export function dueHint(at: Date, now: number): { overdue: boolean; words: string } | null {
  const ahead = at.getTime() - now;
  if (ahead <= 0) return { overdue: true, words: 'Overdue' };
  if (ahead > SOON_MS) return null;
  return { overdue: false, words: `Due in ${Math.ceil(ahead / MINUTE_MS)} min` };
}
