import { dateFormat, dayOf } from '#app/lib/format-time.ts';

const DAY_MS = 86_400_000;

/** Formats when the team is back: `today at 14:00`, `tomorrow at 09:00`, `on Monday at 09:00`, `on 4 January at 09:00`. */
export function formatBack(at: Date, now: number, timeZone: string): string {
  const time = dateFormat(timeZone, { hour: '2-digit', minute: '2-digit' }).format(at);
  const day = dayOf(at, timeZone);
  if (day === dayOf(now, timeZone)) return `today at ${time}`;
  if (day === dayOf(now + DAY_MS, timeZone)) return `tomorrow at ${time}`;
  const date = dateFormat(
    timeZone,
    at.getTime() - now < 6 * DAY_MS ? { weekday: 'long' } : { day: 'numeric', month: 'long' },
  ).format(at);
  return `on ${date} at ${time}`;
}
