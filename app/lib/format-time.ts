const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `lists`: `5m`, `3h`, `2d`, `12 Nov`. `sentences`: `5 minutes ago`, `2 days ago`, `12 November`. */
export type TimeStyle = 'lists' | 'sentences';

/** Formats a past time relative to now, or as a date when a week or more ago. */
export function formatTime(at: Date, now: number, timeZone: string, style: TimeStyle): string {
  const ago = Math.max(0, now - at.getTime());
  if (ago < MINUTE_MS) return style === 'lists' ? 'now' : 'just now';
  if (ago >= 7 * DAY_MS) return formatDate(at, now, timeZone, style);
  const [count, short, long] =
    ago < HOUR_MS
      ? [Math.floor(ago / MINUTE_MS), 'm', 'minute']
      : ago < DAY_MS
        ? [Math.floor(ago / HOUR_MS), 'h', 'hour']
        : [Math.floor(ago / DAY_MS), 'd', 'day'];
  return style === 'lists' ? `${count}${short}` : `${count} ${long}${count === 1 ? '' : 's'} ago`;
}

function formatDate(at: Date, now: number, timeZone: string, style: TimeStyle): string {
  const year = dateFormat(timeZone, { year: 'numeric' });
  const sameYear = year.format(at) === year.format(now);
  return dateFormat(timeZone, {
    day: 'numeric',
    month: style === 'lists' ? 'short' : 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(at);
}

/** Formats a time to the minute, with its time zone: `Sat, 21 Nov 2026, 06:29 UTC`. */
export function exactTime(at: Date, timeZone: string): string {
  return dateFormat(timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}

/** Formats a future time: `in 40 seconds`, `in 2 minutes`, or `any moment now` when it is due. */
export function formatDue(at: Date, now: number): string {
  const ahead = at.getTime() - now;
  if (ahead < 1_000) return 'any moment now';
  const [count, unit] =
    ahead < MINUTE_MS
      ? [Math.round(ahead / 1_000), 'second']
      : ahead < HOUR_MS
        ? [Math.round(ahead / MINUTE_MS), 'minute']
        : [Math.round(ahead / HOUR_MS), 'hour'];
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Formats a time: `14:05` today, otherwise with its date: `20 Nov, 14:05`. */
export function formatSince(at: Date, now: number, timeZone: string): string {
  const day = dateFormat(timeZone, { day: 'numeric', month: 'short' });
  const time = dateFormat(timeZone, { hour: '2-digit', minute: '2-digit' }).format(at);
  return day.format(at) === day.format(now) ? time : `${day.format(at)}, ${time}`;
}

/** Formats a duration: `182 ms`, `1.2 s`, `15 s`, `2 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 100_000) return `${Math.round(ms / 1_000)} s`;
  return `${Math.round(ms / MINUTE_MS)} min`;
}

/** Returns a day key for comparisons. */
export function dayOf(at: Date | number, timeZone: string): string {
  return dateFormat(timeZone, { year: 'numeric', month: 'numeric', day: 'numeric' }).format(at);
}

/** Formats a day: `Today`, `Yesterday`, `Saturday 21 November`, with the year unless it is the current one. */
export function formatDay(at: Date, now: number, timeZone: string): string {
  const day = dayOf(at, timeZone);
  if (day === dayOf(now, timeZone)) return 'Today';
  if (day === dayOf(now - DAY_MS, timeZone)) return 'Yesterday';
  // Assembled from parts, because ICU versions in browser and server differ in the comma after the weekday.
  const parts = dateFormat(timeZone, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const shown = new Map(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  const isThisYear = shown.get('year') === dateFormat(timeZone, { year: 'numeric' }).format(now);
  const date = `${shown.get('weekday')} ${shown.get('day')} ${shown.get('month')}`;
  return isThisYear ? date : `${date} ${shown.get('year')}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns a cached date format. Creating a format takes longer than a hundred uses of it.
 * @param timeZone an IANA name
 */
export function dateFormat(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formats.set(key, format);
  return format;
}
