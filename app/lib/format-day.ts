import { dateFormat } from '#app/lib/date-format.ts';

const DAY_MS = 86_400_000;

/** The day on which something was, to be compared with others. */
export function dayOf(at: Date | number, timeZone: string): string {
  return dateFormat(timeZone, { year: 'numeric', month: 'numeric', day: 'numeric' }).format(at);
}

/** A day in words: `Today`, `Yesterday`, `Saturday 21 November`, with the year when it is another one. */
export function formatDay(at: Date, now: number, timeZone: string): string {
  const day = dayOf(at, timeZone);
  if (day === dayOf(now, timeZone)) return 'Today';
  if (day === dayOf(now - DAY_MS, timeZone)) return 'Yesterday';
  // Put together here: whether a comma follows the weekday is another matter in the browser than on the server.
  const parts = dateFormat(timeZone, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const shown = new Map(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  const isThisYear = shown.get('year') === dateFormat(timeZone, { year: 'numeric' }).format(now);
  const date = `${shown.get('weekday')} ${shown.get('day')} ${shown.get('month')}`;
  return isThisYear ? date : `${date} ${shown.get('year')}`;
}
