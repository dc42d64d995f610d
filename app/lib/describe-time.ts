const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `lists`: `5m`, `3h`, `2d`, `12 Nov`. `sentences`: `5 minutes ago`, `yesterday` words, `12 November`. */
export type TimeStyle = 'lists' | 'sentences';

/** How long ago `at` was, in words; a date when it was a week ago or more. */
export function describeTime(at: Date, now: number, timeZone: string, style: TimeStyle): string {
  const ago = Math.max(0, now - at.getTime());
  if (ago < MINUTE_MS) return style === 'lists' ? 'now' : 'just now';
  if (ago >= 7 * DAY_MS) return describeDate(at, now, timeZone, style);
  const [count, short, long] =
    ago < HOUR_MS
      ? [Math.floor(ago / MINUTE_MS), 'm', 'minute']
      : ago < DAY_MS
        ? [Math.floor(ago / HOUR_MS), 'h', 'hour']
        : [Math.floor(ago / DAY_MS), 'd', 'day'];
  return style === 'lists' ? `${count}${short}` : `${count} ${long}${count === 1 ? '' : 's'} ago`;
}

function describeDate(at: Date, now: number, timeZone: string, style: TimeStyle): string {
  const year = new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone });
  const sameYear = year.format(at) === year.format(now);
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: style === 'lists' ? 'short' : 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
    timeZone,
  }).format(at);
}

/** The exact moment, to the minute, with its time zone: `Sat, 21 Nov 2026, 06:29 UTC`. */
export function exactTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(at);
}
