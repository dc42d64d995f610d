import { dateFormat, dayOf, formatSince } from '#app/lib/format-time.ts';
import { DUE_SOON_MINUTES } from '#server/screens/inbox/filter-values.ts';
import type { ClockView, SlaKind } from '#server/screens/inbox/views.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A target due within this time is urgent: the header highlights it, and lists show it. */
const SOON_MS = DUE_SOON_MINUTES * MINUTE_MS;

const NAMES: Record<SlaKind, string> = { first_response: 'First response', resolution: 'Resolution' };

/**
 * Returns how urgent an SLA target is, and its due time: `overdue`, or `due in 25 min`. Lists and the header of a
 * conversation use this function, so that they never disagree.
 */
export function formatTarget(
  dueAt: Date,
  now: number,
): { state: 'running' | 'soon' | 'overdue'; words: string } {
  const left = dueAt.getTime() - now;
  if (left <= 0) return { state: 'overdue', words: 'overdue' };
  return { state: left <= SOON_MS ? 'soon' : 'running', words: `due in ${formatSpan(left)}` };
}

/** `met` and `missed` are final. */
export type ClockState = 'running' | 'soon' | 'overdue' | 'paused' | 'met' | 'missed';

/** Returns the state of an SLA clock and its label. */
export function formatClock(
  clock: ClockView,
  now: number,
  timeZone: string,
): { state: ClockState; words: string } {
  const name = NAMES[clock.kind];
  if (clock.stoppedAt) {
    const missed = clock.breachedAt !== null || clock.stoppedAt > clock.dueAt;
    return missed
      ? { state: 'missed', words: `${name} was late` }
      : { state: 'met', words: `${name} in time` };
  }
  const { state, words } = formatTarget(clock.dueAt, clock.pausedAt?.getTime() ?? now);
  if (state === 'overdue') {
    return { state, words: `${name} ${words} since ${formatSince(clock.dueAt, now, timeZone)}` };
  }
  if (clock.closed && now >= clock.closed.from.getTime() && now < clock.closed.until.getTime()) {
    return {
      state: 'paused',
      words: `${name} paused until ${formatOpening(clock.closed.until, now, timeZone)}`,
    };
  }
  if (clock.pausedAt) {
    const left = formatSpan(clock.dueAt.getTime() - clock.pausedAt.getTime());
    return { state: 'paused', words: `${name} paused, ${left} left` };
  }
  return { state, words: `${name} ${words}` };
}

/** Formats when business hours start: `09:00` today, `Mon 09:00` within a week, or else with the date. */
function formatOpening(at: Date, now: number, timeZone: string): string {
  if (at.getTime() - now >= 6 * DAY_MS || dayOf(at, timeZone) === dayOf(now, timeZone)) {
    return formatSince(at, now, timeZone);
  }
  const time = dateFormat(timeZone, { hour: '2-digit', minute: '2-digit' }).format(at);
  return `${dateFormat(timeZone, { weekday: 'short' }).format(at)} ${time}`;
}

/** Returns the running clock that is due first, or else a paused one. */
export function mostUrgent(clocks: ClockView[]): ClockView | undefined {
  return clocks
    .filter(({ stoppedAt }) => stoppedAt === null)
    .sort((a, b) => Number(a.pausedAt !== null) - Number(b.pausedAt !== null) || +a.dueAt - +b.dueAt)[0];
}

/** Formats a duration: `25 min`, `3 h 10 min`, `2 days 4 h`. */
export function formatSpan(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS)
    return joined(`${Math.floor(ms / HOUR_MS)} h`, Math.floor((ms % HOUR_MS) / MINUTE_MS), 'min');
  const days = Math.floor(ms / DAY_MS);
  return joined(`${days} ${days === 1 ? 'day' : 'days'}`, Math.floor((ms % DAY_MS) / HOUR_MS), 'h');
}

function joined(whole: string, rest: number, unit: string): string {
  return rest === 0 ? whole : `${whole} ${rest} ${unit}`;
}
