import { firstParam } from '#app/lib/first-param.ts';
import { readLocalTime } from '#app/lib/local-time.ts';
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
