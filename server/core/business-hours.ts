import { z } from 'zod';
import { isDay } from '#server/core/day.ts';
import type { FieldErrors } from '#server/core/errors.ts';

/** Hours of a day in minutes since its midnight. An end above 1,440 is on the next day. */
export type OpenSpan = [from: number, until: number];

/**
 * When a workspace or team works. `week`: the hours of each day, Monday first. `holidays`: days without hours, as `YYYY-MM-DD`. The
 * functions `open_spans`, `open_ms` and `after_open_ms` of the database calculate with it.
 */
export type BusinessHours = {
  timeZone: string;
  week: OpenSpan[][];
  holidays: { date: string; name: string }[];
};

/** Maximum number of opening times per day, and of holidays. */
const SPANS_MAX = 4;
export const HOLIDAYS_MAX = 100;

const DAYS_PER_WEEK = 7;

const DAY_MINUTES = 1_440;
const WEEK_MINUTES = DAYS_PER_WEEK * DAY_MINUTES;
const HOLIDAY_NAME_MAX = 80;

/** Hours as stored. */
const stored = z.object({
  timeZone: z.string(),
  week: z.array(z.array(z.tuple([z.number(), z.number()]))),
  holidays: z.array(z.object({ date: z.string(), name: z.string() })),
});

/** Returns stored hours, or null for none. */
export function readBusinessHours(json: unknown): BusinessHours | null {
  return json === null ? null : stored.parse(json);
}

/**
 * Returns hours as they are stored: opening times and holidays in order, names trimmed.
 * @returns problems by field: `timeZone`, `day0` (Monday) to `day6`, `week`, `holidays`
 */
export function normalizeHours(hours: BusinessHours): { hours: BusinessHours } | { errors: FieldErrors } {
  const week = Array.from({ length: DAYS_PER_WEEK }, (_day, index) =>
    (hours.week[index] ?? []).toSorted(([a], [b]) => a - b),
  );
  const holidays = hours.holidays
    .map(({ date, name }) => ({ date, name: name.trim() }))
    .toSorted((a, b) => a.date.localeCompare(b.date));
  const errors = {
    ...(isTimeZone(hours.timeZone) ? {} : { timeZone: ['Choose a time zone.'] }),
    ...weekErrors(week),
    ...holidayErrors(holidays),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { hours: { timeZone: hours.timeZone, week, holidays } };
}

function weekErrors(week: OpenSpan[][]): FieldErrors {
  if (week.every((spans) => spans.length === 0)) {
    return { week: ['Open on at least one day.'] };
  }
  return Object.fromEntries(
    week.flatMap((spans, day) => {
      const problem = dayProblem(spans) ?? overlapProblem(week, day);
      return problem ? [[`day${day}`, [problem]]] : [];
    }),
  );
}

function dayProblem(spans: OpenSpan[]): string | undefined {
  if (spans.length > SPANS_MAX) return `A day can have up to ${SPANS_MAX} opening times.`;
  const isValid = ([from, until]: OpenSpan) =>
    Number.isInteger(from) &&
    Number.isInteger(until) &&
    from >= 0 &&
    from < DAY_MINUTES &&
    until > from &&
    until <= from + DAY_MINUTES;
  return spans.every(isValid) ? undefined : 'Enter when you open and when you close.';
}

/** Returns the problem of a day whose opening times overlap each other or those of the next day. */
function overlapProblem(week: OpenSpan[][], day: number): string | undefined {
  const all = week
    .flatMap((spans, index) =>
      spans.map(([from, until]) => ({
        day: index,
        from: index * DAY_MINUTES + from,
        until: index * DAY_MINUTES + until,
      })),
    )
    .toSorted((a, b) => a.from - b.from);
  const first = all[0];
  const isOverlapping = all.some((span, index) => {
    const next = all[index + 1]?.from ?? (first?.from ?? 0) + WEEK_MINUTES;
    return span.day === day && span.until > next;
  });
  return isOverlapping ? 'These opening times overlap. Change or remove one.' : undefined;
}

function holidayErrors(holidays: BusinessHours['holidays']): FieldErrors {
  const problem = holidayProblem(holidays);
  return problem ? { holidays: [problem] } : {};
}

function holidayProblem(holidays: BusinessHours['holidays']): string | undefined {
  if (holidays.length > HOLIDAYS_MAX) return `You can add up to ${HOLIDAYS_MAX} holidays. Remove past ones.`;
  if (holidays.some(({ date }) => !isDay(date))) return 'Choose a date for each holiday.';
  if (holidays.some(({ name }) => name === '')) return 'Enter a name for each holiday.';
  if (holidays.some(({ name }) => [...name].length > HOLIDAY_NAME_MAX))
    return `The name of a holiday must be at most ${HOLIDAY_NAME_MAX} characters.`;
  const twice = holidays.find(({ date }, index) => holidays[index + 1]?.date === date);
  return twice ? `${twice.name} has the same date as another holiday. Remove one.` : undefined;
}

/** Returns whether this version of the time zone database has the name. An offset such as +02:00 is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
