/** Returns whether a text is a day of the calendar as `YYYY-MM-DD`. PostgreSQL has no year 0. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Returns a day as people read it: `2026-11-30` becomes `30 Nov 2026`. */
export function describeDay(day: string): string {
  return FORMAT.format(new Date(`${day}T00:00:00Z`));
}
