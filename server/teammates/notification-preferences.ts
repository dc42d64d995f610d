import { isTimeZone } from '#server/core/business-hours.ts';
import type { FieldErrors } from '#server/core/errors.ts';

/** Quiet hours in minutes since midnight, in an IANA time zone. They can span midnight. */
export type QuietHours = { from: number; until: number; timeZone: string };

const MINUTES_PER_DAY = 1_440;

/** Returns why quiet hours are refused, by field. */
export function quietHoursErrors({ from, until, timeZone }: QuietHours): FieldErrors {
  return {
    ...(isMinute(from) ? {} : { quietFrom: ['Enter a time.'] }),
    ...(!isMinute(until)
      ? { quietUntil: ['Enter a time.'] }
      : from === until
        ? { quietUntil: ['Choose an end that differs from the start.'] }
        : {}),
    ...(isTimeZone(timeZone) ? {} : { timeZone: ['Choose a time zone.'] }),
  };
}

function isMinute(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < MINUTES_PER_DAY;
}

/** Returns whether a time is within quiet hours. The start is included, the end is not. */
export function isQuiet({ from, until, timeZone }: QuietHours, at: Date): boolean {
  const now = minuteOfDay(at, timeZone);
  return from < until ? now >= from && now < until : now >= from || now < until;
}

function minuteOfDay(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at);
  const numberOf = (type: 'hour' | 'minute') => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return numberOf('hour') * 60 + numberOf('minute');
}
