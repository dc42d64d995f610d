import { WEEKDAYS } from '#app/lib/weekdays.ts';
import type { BusinessHours, OpenSpan } from '#server/screens/settings/views.ts';

/** Opening times as fields contain them, `HH:MM`. `id`: key of the row. */
export type DraftSpan = { id: number; from: string; until: string };
export type DraftHoliday = { id: number; date: string; name: string };
export type HoursDraft = { timeZone: string; week: DraftSpan[][]; holidays: DraftHoliday[] };

const DAY_MINUTES = 1_440;
const DEFAULT_SPAN = { from: '09:00', until: '17:00' };

let lastId = 0;

/** Returns a row with a key that no other row has. */
export function newRow<Row extends object>(row: Row): Row & { id: number } {
  lastId += 1;
  return { ...row, id: lastId };
}

/** Returns the next opening time of a day: after its last one, or else the usual office hours. */
export function nextSpan(spans: DraftSpan[]): DraftSpan {
  const last = spans.at(-1);
  return newRow(last ? { from: last.until, until: '' } : DEFAULT_SPAN);
}

/** Returns stored hours as a draft, or by default Monday to Friday from nine to five. */
export function draftOf(hours: BusinessHours | null): HoursDraft {
  if (!hours) {
    return {
      timeZone: 'UTC',
      week: WEEKDAYS.map((_day, index) => (index < 5 ? [nextSpan([])] : [])),
      holidays: [],
    };
  }
  return {
    timeZone: hours.timeZone,
    week: hours.week.map((spans) =>
      spans.map(([from, until]) => newRow({ from: timeOf(from), until: timeOf(until) })),
    ),
    holidays: hours.holidays.map(newRow),
  };
}

/** Returns what a draft says. A time that is missing becomes -1, which is refused. */
export function hoursOf({ timeZone, week, holidays }: HoursDraft): BusinessHours {
  return {
    timeZone,
    week: week.map((spans) => spans.map(spanOf)),
    holidays: holidays.map(({ date, name }) => ({ date, name })),
  };
}

/** An end that is not after the start is on the next day. */
function spanOf({ from, until }: DraftSpan): OpenSpan {
  const [start, end] = [minuteOf(from), minuteOf(until)];
  return [start, end === -1 || end > start ? end : end + DAY_MINUTES];
}

/** Returns whether an opening time ends on the next day. */
export function endsNextDay({ from, until }: DraftSpan): boolean {
  const [start, end] = [minuteOf(from), minuteOf(until)];
  return start !== -1 && end !== -1 && end <= start && end > 0;
}

function minuteOf(time: string): number {
  const [, hour, minute] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  return hour === undefined || minute === undefined ? -1 : Number(hour) * 60 + Number(minute);
}

/** Returns `HH:MM`. */
function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}

/** Describes hours in one line: `Mon–Fri 09:00–17:00, Sat 10:00–14:00`. */
export function describeWeek({ week }: BusinessHours): string {
  const texts = week.map((spans) =>
    spans.map(([from, until]) => `${timeOf(from)}–${timeOf(until)}`).join(' and '),
  );
  const groups: { first: number; last: number; text: string }[] = [];
  texts.forEach((text, day) => {
    const group = groups.at(-1);
    if (group?.text === text && group.last === day - 1) group.last = day;
    else if (text !== '') groups.push({ first: day, last: day, text });
  });
  const short = (day: number) => WEEKDAYS[day]?.slice(0, 3) ?? '';
  return groups
    .map(
      ({ first, last, text }) =>
        `${first === last ? short(first) : `${short(first)}–${short(last)}`} ${text}`,
    )
    .join(', ');
}
