import ICAL from 'ical.js';
import { foldHeaderText } from '#server/inbox/mail-parser/mail-headers.ts';
import type { CalendarInvitation } from '#server/inbox/mail-parser/parsed-mail.ts';

const CALENDAR_MAX_LENGTH = 200_000;
const TITLE_MAX_LENGTH = 200;
const ANSWERS = { ACCEPTED: 'accepted', DECLINED: 'declined', TENTATIVE: 'tentative' } as const;

/**
 * Parses an invitation, an answer to one, or a cancellation (iTIP, RFC 5546).
 * @param calendar the text of a calendar part (RFC 5545)
 * @returns null for a calendar without an event, or one that is invalid
 */
export function parseInvitation(calendar: string): CalendarInvitation | null {
  try {
    const parsed: unknown[] = ICAL.parse(calendar.slice(0, CALENDAR_MAX_LENGTH));
    // Several calendars are a list.
    const component = new ICAL.Component(Array.isArray(parsed[0]) ? parsed[0] : parsed);
    const event = component.getFirstSubcomponent('vevent');
    if (!event) return null;
    const method = `${component.getFirstPropertyValue('method') ?? ''}`.toUpperCase();
    const [start, end] = [readTime(event, 'dtstart'), readEnd(event)];
    return {
      kind: method === 'REPLY' ? 'answer' : method === 'CANCEL' ? 'cancellation' : 'request',
      answer: method === 'REPLY' ? readAnswer(event) : null,
      title: textOf(event, 'summary'),
      start,
      end,
      timeZone: zoneOf(event),
      place: textOf(event, 'location'),
      organizer: readPerson(event.getFirstProperty('organizer')),
      repeats: event.getFirstProperty('rrule') !== null,
    };
  } catch {
    return null;
  }
}

type Component = InstanceType<typeof ICAL.Component>;
type Property = InstanceType<typeof ICAL.Property>;
type Time = InstanceType<typeof ICAL.Time>;

function textOf(event: Component, name: string): string {
  return foldHeaderText(`${event.getFirstPropertyValue(name) ?? ''}`).slice(0, TITLE_MAX_LENGTH);
}

function readAnswer(event: Component): CalendarInvitation['answer'] {
  const status = `${event.getFirstProperty('attendee')?.getFirstParameter('partstat') ?? ''}`.toUpperCase();
  return Object.hasOwn(ANSWERS, status) ? ANSWERS[status as keyof typeof ANSWERS] : null;
}

function readPerson(property: Property | null): string {
  const name = foldHeaderText(`${property?.getFirstParameter('cn') ?? ''}`);
  const address = foldHeaderText(`${property?.getFirstValue() ?? ''}`).replace(/^mailto:/i, '');
  return (name || address).slice(0, TITLE_MAX_LENGTH);
}

function zoneOf(event: Component): string | null {
  const zone = event.getFirstProperty('dtstart')?.getFirstParameter('tzid');
  return zone ? foldHeaderText(zone).slice(0, TITLE_MAX_LENGTH) : null;
}

/** Returns the end, or the last day of an event of whole days: the calendar has the day after it. */
function readEnd(event: Component): string | null {
  const start = event.getFirstPropertyValue('dtstart');
  const end = event.getFirstPropertyValue('dtend');
  if (end instanceof ICAL.Time) {
    if (!end.isDate) return readTime(event, 'dtend');
    const last = end.clone();
    last.addDuration(ICAL.Duration.fromSeconds(-86_400));
    return start instanceof ICAL.Time && last.compareDateOnlyTz(start, ICAL.Timezone.utcTimezone) > 0
      ? last.toString()
      : null;
  }
  const duration = event.getFirstPropertyValue('duration');
  if (!(start instanceof ICAL.Time && duration instanceof ICAL.Duration) || start.isDate) return null;
  const until = start.clone();
  until.addDuration(duration);
  return toIso(until, zoneOf(event));
}

function readTime(event: Component, name: string): string | null {
  const time = event.getFirstPropertyValue(name);
  if (!(time instanceof ICAL.Time)) return null;
  const zone = event.getFirstProperty(name)?.getFirstParameter('tzid');
  return toIso(time, zone ?? null);
}

/**
 * Returns a date such as `2026-12-01`, a time in UTC, or, if nobody knows its zone, a time without one. The name of a known
 * zone counts more than its rules in the calendar, which are often wrong and can be costly to compute.
 */
function toIso(time: Time, zone: string | null): string | null {
  if (time.year < 1 || time.year > 9999) return null;
  if (time.isDate) return time.toString();
  if (time.zone === ICAL.Timezone.utcTimezone) return time.toJSDate().toISOString();
  const local = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  const utc = zone === null ? undefined : fromZone(local, zone);
  if (utc !== undefined) return new Date(utc).toISOString();
  if (time.zone !== ICAL.Timezone.localTimezone) return time.toJSDate().toISOString();
  return new Date(local).toISOString().slice(0, -1);
}

/** Returns the instant of a local time in an IANA time zone, both in ms; undefined for an unknown zone. */
function fromZone(local: number, timeZone: string): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    // Twice, as the offset may differ between the first guess and the instant.
    const first = local - offsetAt(format, local);
    return local - offsetAt(format, first);
  } catch {
    return undefined;
  }
}

/** Returns the offset from UTC, in ms, which the format names as `GMT+01:00`. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
