import type { Figures, ListedMeasure, ReportScope } from '#server/screens/reports/views.ts';

type Scope = Pick<ReportScope, 'range' | 'period' | 'dimension' | 'key'>;
type More = { by?: string; measure?: ListedMeasure; hour?: number; cursor?: string };

/** Returns the query string of a report, with further parameters. */
export function reportQueryOf({ range, period, dimension, key }: Scope, more: More = {}): string {
  const query = new URLSearchParams(range === null ? period : { range });
  if (dimension !== 'all') query.set('of', `${dimension}:${key}`);
  for (const [name, value] of Object.entries(more)) query.set(name, String(value));
  return `?${query}`;
}

/** Returns the URL of the conversations behind a number. */
export function countedPath(scope: Scope, measure: ListedMeasure, more: Omit<More, 'measure'> = {}): string {
  return `/reports/conversations${reportQueryOf(scope, { measure, ...more })}`;
}

/** Returns what the share of met SLA targets links to: the missed ones, or the met ones if none was missed. */
export function targetsListed({ slaMissed }: Pick<Figures, 'slaMissed'>): ListedMeasure {
  return slaMissed > 0 ? 'missed' : 'sla';
}
