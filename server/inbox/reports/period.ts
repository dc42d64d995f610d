/** Days of a report, both included, as `YYYY-MM-DD`. */
export type Period = { from: string; to: string };

/** Days of `report_counts`: of days or whole months, `until` not included. */
export type CountedRange = { isMonth: boolean; from: string; until: string };

/** A longer period shows one point a month. */
const DAY_POINTS_MAX = 92;
export const DAYS_MAX = 366 * 3;

/** Returns a day moved by a number of days. */
export function addDays(day: string, days: number): string {
  return dayOf(timeOf(day) + days * DAY_MS);
}

const DAY_MS = 86_400_000;

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Returns the number of days of a period. */
export function lengthOf({ from, to }: Period): number {
  return Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1;
}

/** Returns the period of the same length that ends the day before. */
export function previousOf(period: Period): Period {
  return { from: addDays(period.from, -lengthOf(period)), to: addDays(period.from, -1) };
}

/** Returns whether the chart of a period has a point for each day, else one for each month. */
export function hasDayPoints(period: Period): boolean {
  return lengthOf(period) <= DAY_POINTS_MAX;
}

/** Returns the points of the chart of a period: its days, or the first days of its months. */
export function pointsOf(period: Period): string[] {
  if (hasDayPoints(period)) {
    return Array.from({ length: lengthOf(period) }, (_day, index) => addDays(period.from, index));
  }
  const points = [];
  for (let month = monthOf(period.from); month <= period.to; month = nextMonth(month)) points.push(month);
  return points;
}

/** Returns the days of a period that a point of its chart stands for. */
export function daysOfPoint(point: string, period: Period): Period {
  if (hasDayPoints(period)) return { from: point, to: point };
  const last = addDays(nextMonth(point), -1);
  return { from: laterOf(point, period.from), to: earlierOf(last, period.to) };
}

const earlierOf = (a: string, b: string) => (a < b ? a : b);
const laterOf = (a: string, b: string) => (a < b ? b : a);

/** Returns what to read for a period: whole months as one, and the days before and after them. */
export function rangesOf({ from, to }: Period): CountedRange[] {
  const until = addDays(to, 1);
  const firstMonth = monthOf(from) === from ? from : nextMonth(from);
  const lastMonth = monthOf(until);
  if (firstMonth >= lastMonth) return [{ isMonth: false, from, until }];
  return [
    { isMonth: false, from, until: firstMonth },
    { isMonth: true, from: firstMonth, until: lastMonth },
    { isMonth: false, from: lastMonth, until },
  ].filter((range) => range.from < range.until);
}

function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

function nextMonth(day: string): string {
  return monthOf(addDays(monthOf(day), 31));
}

/** Returns the day in a time zone. */
export function todayIn(timeZone: string, now: Date): string {
  // The Swedish format is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
}
