import { dateFormat } from '#app/lib/format-time.ts';

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/**
 * Formats the time of an event: `Tue, 1 Dec 2026, 10:00–10:30 CET`. One without a time zone has the time that its sender
 * wrote, and an event of whole days only its days.
 * @param event times in ISO 8601: in UTC, without a zone, or a date
 * @param timeZone the reader's
 */
export function formatEventTime(
  { start, end }: { start: string; end: string | null },
  timeZone: string,
): string {
  if (!start.includes('T')) {
    const days = [start, end]
      .flatMap((date) => date ?? [])
      .map((date) => dateFormat('UTC', DAY).format(Date.parse(date)));
    return days.join(' – ');
  }
  const hasZone = start.endsWith('Z');
  const zone = hasZone ? timeZone : 'UTC';
  const at = (time: string) => new Date(time.endsWith('Z') ? time : `${time}Z`);
  const day = (time: string) => dateFormat(zone, DAY).format(at(time));
  const clock = (time: string) => dateFormat(zone, { hour: '2-digit', minute: '2-digit' }).format(at(time));
  const until =
    end === null ? '' : day(end) === day(start) ? `–${clock(end)}` : ` – ${day(end)}, ${clock(end)}`;
  const name = dateFormat(zone, { timeZoneName: 'short' })
    .formatToParts(at(start))
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${day(start)}, ${clock(start)}${until} ${hasZone ? name : '(time zone not given)'}`;
}
