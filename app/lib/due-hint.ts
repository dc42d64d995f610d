const MINUTE_MS = 60_000;
/** A time limit is mentioned in lists when it is nearer than this. */
const SOON_MS = 60 * MINUTE_MS;

/** What a list says of a time limit: `Overdue`, `Due in 25 min`; null while there is more than an hour. */
export function dueHint(at: Date, now: number): { overdue: boolean; words: string } | null {
  const ahead = at.getTime() - now;
  if (ahead <= 0) return { overdue: true, words: 'Overdue' };
  if (ahead > SOON_MS) return null;
  return { overdue: false, words: `Due in ${Math.ceil(ahead / MINUTE_MS)} min` };
}
