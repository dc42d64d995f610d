import { z } from 'zod';
import { keyInput, textInput } from '#server/contract/text-input.ts';
import { isDay } from '#server/core/day.ts';
import { DIMENSIONS, type Dimension } from '#server/inbox/reports/measures.ts';
import { addDays, DAYS_MAX, lengthOf, type Period } from '#server/inbox/reports/period.ts';
import { RANGES } from '#server/screens/reports/ranges.ts';
import type { ComparedBy, ListedMeasure, Range } from '#server/screens/reports/views.ts';

const DIMENSION_LIST = Object.keys(DIMENSIONS) as Dimension[];
const LISTED = [
  'created',
  'replied',
  'resolved',
  'sla',
  'missed',
  'rated',
] as const satisfies ListedMeasure[];

const day = textInput(10).transform((text) => (isDay(text) ? text : undefined));

/** `all`, or a dimension, a colon and a key. */
const subject = textInput(120).transform((text) => {
  const [name = '', ...rest] = text.split(':');
  const dimension = DIMENSION_LIST.find((each) => each === name) ?? 'all';
  return { dimension, key: dimension === 'all' ? '' : rest.join(':') };
});

const oneOf = <Value extends string>(values: readonly Value[]) =>
  textInput(20).transform((text) => values.find((value) => value === text));

/** Query parameters of the report. What is unknown counts as not given. */
export const reportQuery = z.object({
  range: oneOf(Object.keys(RANGES) as Range[]).optional(),
  from: day.optional(),
  to: day.optional(),
  of: subject.optional(),
});

export const comparisonQuery = reportQuery.extend({
  by: oneOf(DIMENSION_LIST.filter((name): name is ComparedBy => name !== 'all')).optional(),
});

export const listQuery = reportQuery.extend({
  measure: oneOf(LISTED).optional(),
  /** Hour of the week of new conversations. */
  hour: textInput(3)
    .transform((text) => (/^\d+$/.test(text) && Number(text) < 168 ? Number(text) : undefined))
    .optional(),
  cursor: keyInput.optional(),
});

/** Earlier days have no figures, and no day is far enough before them for PostgreSQL to refuse it. */
const EARLIEST = '1970-01-01';

/**
 * Returns the chosen period: two days, else a range that ends today. Days in the wrong order are exchanged, a later day than today
 * becomes today, and a long period is cut.
 */
export function periodOf(
  { range, from, to }: z.output<typeof reportQuery>,
  today: string,
): { range: Range | null; period: Period } {
  if (from && to) {
    const within = (day: string) => (day > today ? today : day < EARLIEST ? EARLIEST : day);
    const [first, last] = from <= to ? [within(from), within(to)] : [within(to), within(from)];
    const period = { from: first, to: last };
    const isLong = lengthOf(period) > DAYS_MAX;
    return { range: null, period: isLong ? { from: addDays(last, 1 - DAYS_MAX), to: last } : period };
  }
  const chosen = range ?? '30d';
  return { range: chosen, period: { from: addDays(today, 1 - RANGES[chosen].days), to: today } };
}
