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
