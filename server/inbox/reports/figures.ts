import { bucketsOf, MEASURES, type Measure, medianOf } from '#server/inbox/reports/measures.ts';

/** A row of `report_counts`, summed. */
export type Cell = { measure: number; bucket: number; count: number };

/** Figures of a period, a point of a chart, or a row of the table. Times are medians in seconds of business hours. */
export type Figures = {
  created: number;
  replied: number;
  replySeconds: number | null;
  resolved: number;
  resolveSeconds: number | null;
  slaMet: number;
  slaMissed: number;
  rated: number;
  /** Ratings of 4 or 5. */
  satisfied: number;
};

const SATISFIED_FROM = 4;

/** Returns the figures of summed rows. */
export function figuresOf(cells: readonly Cell[]): Figures {
  const of = (measure: Measure) => bucketsOf(cells, MEASURES[measure]);
  const [created, replied, resolved, sla, rated] = [
    of('created'),
    of('replied'),
    of('resolved'),
    of('sla'),
    of('rated'),
  ];
  return {
    created: total(created),
    replied: total(replied),
    replySeconds: medianOf(replied),
    resolved: total(resolved),
    resolveSeconds: medianOf(resolved),
    slaMet: sla.get(1) ?? 0,
    slaMissed: sla.get(0) ?? 0,
    rated: total(rated),
    satisfied: total(new Map([...rated].filter(([score]) => score >= SATISFIED_FROM))),
  };
}

/** Returns the numbers of new conversations by hour of the week, from Monday 0:00. */
export function hoursOf(cells: readonly Cell[]): number[] {
  const created = bucketsOf(cells, MEASURES.created);
  return Array.from({ length: 168 }, (_hour, hour) => created.get(hour) ?? 0);
}

function total(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
