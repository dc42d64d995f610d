import { firstParam } from '#app/lib/first-param.ts';
import { eventChoices, OUTCOME_FILTERS, type OutcomeFilter } from '#server/screens/integrations/views.ts';

/** Filters of the log as in the URL, with times in the reader's time zone. */
export type LogFields = {
  hook?: string | undefined;
  event?: string | undefined;
  outcome?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Time zone of `from` and `to`. */
  zone?: string | undefined;
};

/** Filters, page and open delivery. */
export type LogView = LogFields & { page?: string | undefined; delivery?: string | undefined };

const NAMES = ['hook', 'event', 'outcome', 'from', 'to', 'zone', 'page', 'delivery'] as const;

/** Parses the query string of the log. */
export function parseLogView(query: Record<string, string | string[] | undefined>): LogView {
  return Object.fromEntries(NAMES.map((name) => [name, firstParam(query[name]) || undefined]));
}

/** Returns the URL of a view, without unset fields, and without a time zone if there is no time. */
export function logPath(view: LogView): string {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    const value = view[name];
    if (value && (name !== 'zone' || view.from || view.to)) query.set(name, value);
  }
  return `/settings/integrations${query.size > 0 ? `?${query}` : ''}`;
}

export function hasFilters({ hook, event, outcome, from, to }: LogFields): boolean {
  return [hook, event, outcome, from, to].some((field) => field !== undefined);
}

/** Returns the input of the procedure. Ignores an invalid event, outcome or time. `to` includes its whole minute. */
export function logFilter(view: LogView) {
  const until = parseLocalTime(view.to, view.zone);
  return {
    hookId: view.hook,
    event: eventChoices.find(({ key }) => key === view.event)?.key,
    outcome: parseOutcome(view.outcome),
    since: parseLocalTime(view.from, view.zone),
    until: until && new Date(until.getTime() + 60_000),
    cursor: view.page,
  };
}

function parseOutcome(text: string | undefined): OutcomeFilter {
  return OUTCOME_FILTERS.find((outcome) => outcome === text) ?? 'all';
}

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/;

/**
 * Converts the local time of a `datetime-local` field to a timestamp. Returns undefined for invalid text. A time
 * skipped in spring maps to the time after the gap. A repeated time in autumn maps to either occurrence.
 * @param timeZone an IANA name, UTC if unknown
 */
export function parseLocalTime(text: string | undefined, timeZone: string | undefined): Date | undefined {
  const fields = SHAPE.exec(text ?? '')
    ?.slice(1, 7)
    .map((field) => Number(field ?? 0));
  if (!fields) return undefined;
  const [year = 0, month = 1, ...rest] = fields;
  const asUtc = Date.UTC(year, month - 1, ...rest);
  if (Number.isNaN(asUtc)) return undefined;
  const clock = clockOf(timeZone);
  // Local time is UTC plus the zone's offset, so use the offset near that time.
  const near = asUtc - offsetAt(asUtc, clock);
  const at = asUtc - offsetAt(near, clock);
  const isSkipped = at !== asUtc - offsetAt(at, clock);
  return new Date(isSkipped ? Math.max(near, at) : at);
}

function clockOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const options = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: timeZone || 'UTC' });
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  }
}

/** Returns the offset from UTC at a timestamp, in ms. */
function offsetAt(timestamp: number, clock: Intl.DateTimeFormat): number {
  const shown = new Map(clock.formatToParts(timestamp).map(({ type, value }) => [type, Number(value)]));
  const field = (name: Intl.DateTimeFormatPartTypes) => shown.get(name) ?? 0;
  return (
    Date.UTC(
      field('year'),
      field('month') - 1,
      field('day'),
      field('hour'),
      field('minute'),
      field('second'),
    ) - timestamp
  );
}
