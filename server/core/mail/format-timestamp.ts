const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A timestamp in a mail: to the minute, in UTC, as a mail does not know where it is read. */
export function formatTimestamp(at: Date | string): string {
  return `${FORMAT.format(new Date(at))} UTC`;
}
