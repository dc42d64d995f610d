import type { CalendarInvitation } from '#server/inbox/mail-parser/parsed-mail.ts';

const WORDS = { request: 'Invitation', answer: 'Answer to invitation', cancellation: 'Cancelled invitation' };

/** Describes an invitation in one sentence, with the time in the zone of its sender (docs/rulings.md 3.39). */
export function describeInvitation({
  kind,
  answer,
  title,
  start,
  timeZone,
  place,
}: CalendarInvitation): string {
  const what = answer === null ? WORDS[kind] : `Invitation ${answer}`;
  const details = [title, start === null ? '' : describeTime(start, timeZone), place];
  return `[${what}: ${details.filter((part) => part !== '').join(', ') || 'without a title'}]`;
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

function describeTime(start: string, timeZone: string | null): string {
  const format = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', options).format(at);
  if (!start.includes('T')) return format(Date.parse(start), { ...DAY, timeZone: 'UTC' });
  const time = { ...DAY, hour: '2-digit', minute: '2-digit' } as const;
  if (!start.endsWith('Z')) return format(Date.parse(`${start}Z`), { ...time, timeZone: 'UTC' });
  try {
    if (timeZone !== null) return `${format(Date.parse(start), { ...time, timeZone })} (${timeZone})`;
  } catch {
    // A zone that only the calendar describes.
  }
  return `${format(Date.parse(start), { ...time, timeZone: 'UTC' })} UTC`;
}
