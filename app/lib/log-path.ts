import { firstParam } from '#app/lib/first-param.ts';
import { eventChoices, OUTCOME_FILTERS, type OutcomeFilter } from '#server/screens/integrations/views.ts';

/** What the log is narrowed to, as the address says it: times as the reader's clock shows them. */
export type LogFields = {
  hook?: string | undefined;
  event?: string | undefined;
  outcome?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** The time zone of both. */
  zone?: string | undefined;
};

/** What of the log is shown: narrowed, from which page on, and which delivery is open. */
export type LogView = LogFields & { page?: string | undefined; delivery?: string | undefined };

const NAMES = ['hook', 'event', 'outcome', 'from', 'to', 'zone', 'page', 'delivery'] as const;

/** The log's query string, read. */
export function readLogView(query: Record<string, string | string[] | undefined>): LogView {
  return Object.fromEntries(NAMES.map((name) => [name, firstParam(query[name]) || undefined]));
}

/** The address of a view of the log; what is not set is left out, and a time zone without a time. */
export function logPath(view: LogView): string {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    const value = view[name];
    if (value && (name !== 'zone' || view.from || view.to)) query.set(name, value);
  }
  return `/settings/integrations${query.size > 0 ? `?${query}` : ''}`;
}

/** Whether the log is narrowed to anything. */
export function isNarrowed({ hook, event, outcome, from, to }: LogFields): boolean {
  return [hook, event, outcome, from, to].some((field) => field !== undefined);
}

/** What the procedure is asked for; what is no event, outcome or time narrows nothing. `to` counts to its last second. */
export function logFilter(view: LogView) {
  const until = readLocalTime(view.to, view.zone);
  return {
    hookId: view.hook,
    event: eventChoices.find(({ key }) => key === view.event)?.key,
    outcome: readOutcome(view.outcome),
    since: readLocalTime(view.from, view.zone),
    until: until && new Date(until.getTime() + 60_000),
    cursor: view.page,
  };
}

/** An outcome of the filter; unknown words show all. */
function readOutcome(text: string | undefined): OutcomeFilter {
  return OUTCOME_FILTERS.find((outcome) => outcome === text) ?? 'all';
}

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/;

/**
 * The moment that a wall clock in a time zone shows as `text`, as a `datetime-local` field writes it; undefined for
 * what is no such time. A time that the clock skips in spring is the one after the gap, and of one that it shows
 * twice in autumn it is the first or the second.
 * @param timeZone an IANA name; UTC when it is not known
 */
export function readLocalTime(text: string | undefined, timeZone: string | undefined): Date | undefined {
  const fields = SHAPE.exec(text ?? '')
    ?.slice(1, 7)
    .map((field) => Number(field ?? 0));
  if (!fields) return undefined;
  const [year = 0, month = 1, ...rest] = fields;
  const asUtc = Date.UTC(year, month - 1, ...rest);
  if (Number.isNaN(asUtc)) return undefined;
  const clock = clockOf(timeZone);
  // What a clock there shows at a moment is the moment and the zone's offset; the offset near the moment is meant.
  const near = asUtc - offsetAt(asUtc, clock);
  return new Date(asUtc - offsetAt(near, clock));
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

/** How far the clock is ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, clock: Intl.DateTimeFormat): number {
  const shown = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const field = (name: Intl.DateTimeFormatPartTypes) => shown.get(name) ?? 0;
  return (
    Date.UTC(
      field('year'),
      field('month') - 1,
      field('day'),
      field('hour'),
      field('minute'),
      field('second'),
    ) - moment
  );
}
