import { dateFormat } from '#app/lib/format-time.ts';
import { parseLocalTime } from '#app/lib/log-path.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NAMED_TIMES: Record<string, string> = {
  morning: '09:00',
  noon: '12:00',
  afternoon: '13:00',
  evening: '18:00',
  night: '20:00',
};
const DEFAULT_TIME = '09:00';

/** A day of the calendar, as midnight UTC in ms. */
type Day = number;

/**
 * Parses a future time as people type it, in a time zone: `in 3 hours`, `2 days`, `tomorrow 9`, `mon 14:30`,
 * `friday afternoon`, `next week`, `24 dec`, `dec 24 14:30`, `2026-12-24`, `5pm`. A day without a time means 9 in the morning. A time
 * without a day, and a day without a year, mean their next occurrence. Returns undefined for other texts and for past times.
 */
export function parseFutureTime(text: string, now: Date, timeZone: string): Date | undefined {
  const words = text
    .toLowerCase()
    .replaceAll(/,|\b(?:on|at|until)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const today = dayIn(timeZone, now);
  const found =
    words === '' ? undefined : (afterDuration(words, now, timeZone) ?? onDay(words, today, timeZone));
  if (found && found > now) return found;
  // `9` at 10 o'clock means tomorrow.
  const time = timeOf(words);
  return time === undefined ? undefined : at(today + DAY_MS, time, timeZone);
}

const DURATION = /^(?:in )?(\d{1,4}|an?) ?(m|mins?|minutes?|h|hours?|d|days?|w|weeks?)$/;

/** Minutes and hours are exact. Days and weeks keep the time of day, across changes of the clocks. */
function afterDuration(words: string, now: Date, timeZone: string): Date | undefined {
  const [, amount, unit] = DURATION.exec(words) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const count = amount.startsWith('a') ? 1 : Number(amount);
  if (unit.startsWith('m')) return new Date(now.getTime() + count * MINUTE_MS);
  if (unit.startsWith('h')) return new Date(now.getTime() + count * HOUR_MS);
  const days = unit.startsWith('w') ? 7 * count : count;
  const time = dateFormat(timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(now);
  return at(dayIn(timeZone, now) + days * DAY_MS, time, timeZone);
}

function onDay(words: string, today: Day, timeZone: string): Date | undefined {
  const timeOnly = timeOf(words);
  if (timeOnly !== undefined) return at(today, timeOnly, timeZone);
  if (words === 'tonight') return at(today, '18:00', timeZone);
  const date = dateOf(words, today);
  if (date) return atTime(date.day, date.rest, timeZone);
  const parts = words.split(' ');
  const dayLength = parts[0] === 'next' ? 2 : 1;
  const day = dayOf(parts.slice(0, dayLength).join(' '), today);
  return day === undefined ? undefined : atTime(day, parts.slice(dayLength).join(' '), timeZone);
}

function atTime(day: Day, words: string, timeZone: string): Date | undefined {
  const time = words === '' ? DEFAULT_TIME : timeOf(words);
  return time === undefined ? undefined : at(day, time, timeZone);
}

/** `2026-12-24`, `24 dec`, `24th december 2026` or `dec 24`, and words for the time. */
const DATE =
  /^(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})|([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?)(?: (\d{4}))?(?: (.+))?$/;

/** Returns the day with which a text begins, in this year or the next one if it names none. */
function dateOf(words: string, today: Day): { day: Day; rest: string } | undefined {
  const [, isoYear, isoMonth, isoDay, dayBefore, nameAfter, nameBefore, dayAfter, namedYear, rest = ''] =
    DATE.exec(words) ?? [];
  const name = nameAfter ?? nameBefore ?? '-';
  const month = isoMonth ? Number(isoMonth) - 1 : MONTHS.findIndex((one) => one.startsWith(name));
  const date = Number(isoDay ?? dayBefore ?? dayAfter);
  const thisYear = new Date(today).getUTCFullYear();
  const year = Number(isoYear ?? namedYear ?? thisYear);
  const isPast = Date.UTC(year, month, date) < today;
  const day = new Date(Date.UTC(isPast && !isoYear && !namedYear ? year + 1 : year, month, date));
  return day.getUTCMonth() === month && day.getUTCDate() === date ? { day: day.getTime(), rest } : undefined;
}

function dayOf(word: string, today: Day): Day | undefined {
  const weekday = new Date(today).getUTCDay();
  const untilWeekday = (to: number) => today + (((to - weekday + 6) % 7) + 1) * DAY_MS;
  if (word === 'today') return today;
  if (word === 'tomorrow' || word === 'tmr') return today + DAY_MS;
  if (word === 'next week') return untilWeekday(1);
  const name = word.replace(/^next /, '');
  const to = name.length < 3 ? -1 : WEEKDAYS.findIndex((one) => one.startsWith(name));
  return to === -1 ? undefined : untilWeekday(to);
}

/** Returns a time of day as `hh:mm`. */
function timeOf(words: string): string | undefined {
  if (Object.hasOwn(NAMED_TIMES, words)) return NAMED_TIMES[words];
  const [, hourText, minuteText = '00', half] = /^(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?$/.exec(words) ?? [];
  if (hourText === undefined) return undefined;
  const given = Number(hourText);
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const hour = half === undefined ? given : (given % 12) + (half === 'pm' ? 12 : 0);
  if (hour > 23 || Number(minuteText) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minuteText}`;
}

function dayIn(timeZone: string, now: Date): Day {
  const parts = dateFormat(timeZone, { year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(
    now,
  );
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'));
}

function at(day: Day, time: string, timeZone: string): Date | undefined {
  return parseLocalTime(`${new Date(day).toISOString().slice(0, 10)}T${time}`, timeZone);
}
