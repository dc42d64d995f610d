import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { BusinessHours, OpenSpan } from '#server/core/business-hours.ts';
import { sql } from '#server/core/database/sql.ts';
import { test } from '#test/fixtures/service-test.ts';

// The functions of the database that count business hours, compared with clocks that are read minute by minute.

const MINUTE_MS = 60_000;
const OFFICE: OpenSpan = [540, 1_020];
const week = (open: (day: number) => OpenSpan[]) => Array.from({ length: 7 }, (_day, day) => open(day));
const hoursIn = (timeZone: string, open: (day: number) => OpenSpan[]): BusinessHours => ({
  timeZone,
  week: week(open),
  holidays: [],
});
const office = (timeZone = 'Europe/Berlin') => hoursIn(timeZone, (day) => (day < 5 ? [OFFICE] : []));
const everyDay = (timeZone: string, ...spans: OpenSpan[]) => hoursIn(timeZone, () => spans);

async function dueAfter(hours: BusinessHours | null, since: string, minutes: number): Promise<string> {
  const [row] = await sql().$queryRaw<{ due: Date }[]>`
    select after_open_ms(${hours && JSON.stringify(hours)}::jsonb, ${since}::timestamptz, ${minutes * MINUTE_MS}::bigint) as due`;
  return row?.due.toISOString() ?? '';
}

async function openMinutes(hours: BusinessHours | null, since: string, until: string): Promise<number> {
  const [row] = await sql().$queryRaw<{ ms: number }[]>`
    select open_ms(${hours && JSON.stringify(hours)}::jsonb, ${since}::timestamptz, ${until}::timestamptz)::float8 as ms`;
  return Number(row?.ms) / MINUTE_MS;
}

describe('time after a timestamp, counted in business hours,', () => {
  test.for<[string, BusinessHours | null, string, number, string]>([
    ['is all time without hours', null, '2026-11-28T03:00:00Z', 60, '2026-11-28T04:00:00.000Z'],
    ['passes as usual while open', office(), '2026-11-27T09:00:00Z', 60, '2026-11-27T10:00:00.000Z'],
    ['ends at closing time', office(), '2026-11-27T15:00:00Z', 60, '2026-11-27T16:00:00.000Z'],
    ['continues on Monday', office(), '2026-11-27T15:30:00Z', 60, '2026-11-30T08:30:00.000Z'],
    ['starts when it next opens', office(), '2026-11-28T12:00:00Z', 60, '2026-11-30T09:00:00.000Z'],
    ['is none at once', office(), '2026-11-28T12:00:00Z', 0, '2026-11-28T12:00:00.000Z'],
    ['lies back for a negative time', office(), '2026-11-28T12:00:00Z', -5, '2026-11-28T11:55:00.000Z'],
    [
      'leaves out the break',
      everyDay('UTC', [480, 720], [780, 1_020]),
      '2026-11-27T11:30:00Z',
      60,
      '2026-11-27T13:30:00.000Z',
    ],
    [
      'lasts over midnight in a night shift',
      everyDay('UTC', [1_320, 1_800]),
      '2026-11-27T23:30:00Z',
      60,
      '2026-11-28T00:30:00.000Z',
    ],
    [
      'leaves out a holiday',
      { ...office(), holidays: [{ date: '2026-11-30', name: 'Founders’ Day' }] },
      '2026-11-27T15:30:00Z',
      60,
      '2026-12-01T08:30:00.000Z',
    ],
    [
      'counts the end of a night shift on a holiday, but no shift that starts on it',
      { ...everyDay('UTC', [1_320, 1_800]), holidays: [{ date: '2026-12-25', name: 'Christmas Day' }] },
      '2026-12-24T22:00:00Z',
      9 * 60,
      '2026-12-26T23:00:00.000Z',
    ],
    [
      'takes three weeks of six hours',
      hoursIn('Europe/Berlin', (day) => (day === 0 ? [[540, 900]] : [])),
      '2026-11-30T08:00:00Z',
      3 * 6 * 60,
      '2026-12-14T14:00:00.000Z',
    ],
    [
      'is at most 52 times four weeks',
      hoursIn('UTC', (day) => (day === 0 ? [[0, 1]] : [])),
      '2026-11-30T08:00:00Z',
      129_600,
      new Date(Date.parse('2026-11-30T08:00:00Z') + 52 * 28 * 1_440 * MINUTE_MS).toISOString(),
    ],
  ])('%s', async ([_what, hours, since, minutes, due]) => {
    expect(await dueAfter(hours, since, minutes)).toBe(due);
  });
});

describe('a change to or from summer time', () => {
  test.for<[string, BusinessHours, string, string, number]>([
    // 29 March 2026: 02:00 becomes 03:00. 25 October 2026: 03:00 becomes 02:00.
    [
      'keeps office hours on the clock (spring)',
      office(),
      '2026-03-27T15:00:00Z',
      '2026-03-30T08:00:00Z',
      120,
    ],
    [
      'keeps office hours on the clock (autumn)',
      office(),
      '2026-10-23T14:00:00Z',
      '2026-10-26T09:00:00Z',
      120,
    ],
    [
      'makes a day of 23 hours',
      everyDay('Europe/Berlin', [0, 1_440]),
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
      23 * 60,
    ],
    [
      'makes a day of 25 hours',
      everyDay('Europe/Berlin', [0, 1_440]),
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00:00Z',
      25 * 60,
    ],
    [
      'makes a night shift an hour shorter',
      everyDay('Europe/Berlin', [1_320, 1_800]),
      '2026-03-28T12:00:00Z',
      '2026-03-29T12:00:00Z',
      7 * 60,
    ],
    [
      'makes a night shift an hour longer',
      everyDay('Europe/Berlin', [1_320, 1_800]),
      '2026-10-24T12:00:00Z',
      '2026-10-25T12:00:00Z',
      9 * 60,
    ],
    [
      'leaves no time between 02:00 and 03:00',
      everyDay('Europe/Berlin', [120, 180]),
      '2026-03-29T00:00:00Z',
      '2026-03-29T12:00:00Z',
      0,
    ],
    // 8 March 2026 and 1 November 2026.
    [
      'is another day in New York (spring)',
      everyDay('America/New_York', [0, 1_440]),
      '2026-03-08T05:00:00Z',
      '2026-03-09T04:00:00Z',
      23 * 60,
    ],
    [
      'is another day in New York (autumn)',
      everyDay('America/New_York', [0, 1_440]),
      '2026-11-01T04:00:00Z',
      '2026-11-02T05:00:00Z',
      25 * 60,
    ],
    // 5 April 2026: 02:00 becomes 01:30. 4 October 2026: 02:00 becomes 02:30.
    [
      'is half an hour on Lord Howe Island (autumn)',
      everyDay('Australia/Lord_Howe', [0, 1_440]),
      '2026-04-04T13:00:00Z',
      '2026-04-05T13:30:00Z',
      24.5 * 60,
    ],
    [
      'is half an hour on Lord Howe Island (spring)',
      everyDay('Australia/Lord_Howe', [0, 1_440]),
      '2026-10-03T13:30:00Z',
      '2026-10-04T13:00:00Z',
      23.5 * 60,
    ],
  ])('%s', async ([_what, hours, since, until, minutes]) => {
    expect(await openMinutes(hours, since, until)).toBe(minutes);
  });

  test('never counts a minute twice where opening times meet in the hour that does not exist', async () => {
    const hours = everyDay('Europe/Berlin', [0, 150], [150, 1_440]);
    expect(await openMinutes(hours, '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toBe(23 * 60);
  });
});

/** Returns whether a clock on the wall shows a time within the hours. */
function isOpen({ timeZone, week, holidays }: BusinessHours, at: number): boolean {
  const { date, day, minute } = wallClock(timeZone, at);
  const isHoliday = (on: string) => holidays.some((holiday) => holiday.date === on);
  const dayBefore = new Date(Date.parse(`${date}T00:00:00Z`) - 1_440 * MINUTE_MS).toISOString().slice(0, 10);
  const covers = (spans: OpenSpan[] | undefined, time: number) =>
    spans?.some(([from, until]) => time >= from && time < until) === true;
  return (
    (!isHoliday(date) && covers(week[day], minute)) ||
    (!isHoliday(dayBefore) && covers(week[(day + 6) % 7], minute + 1_440))
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(timeZone: string, at: number): { date: string; day: number; minute: number } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' });
  formats.set(timeZone, format);
  const [date = '', time = ''] = format.format(at).split(', ');
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { date, day: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7, minute: hour * 60 + minute };
}

// Opening and closing times are not between 01:00 and 03:30, when clocks are changed: what a time means that exists twice, or
// not at all, is a convention.
const minuteOfDay = fc.constantFrom(0, 30, 240, 481, 720, 725, 1_020, 1_200, 1_439);
const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
);
const someDay = fc
  .uniqueArray(minuteOfDay, { minLength: 0, maxLength: 4 })
  .map((minutes) => minutes.toSorted((a, b) => a - b))
  .map((minutes) =>
    minutes.flatMap((from, at): OpenSpan[] => {
      const until = minutes[at + 1];
      return at % 2 === 0 && until !== undefined ? [[from, until]] : [];
    }),
  );
const NIGHT: OpenSpan = [1_320, 1_440 + 240];
const someHours = fc
  .record({
    timeZone: zone,
    days: fc.array(someDay, { minLength: 7, maxLength: 7 }),
    isNight: fc.boolean(),
    holiday: fc.integer({ min: 0, max: 4 }),
  })
  .map(({ timeZone, days, isNight, holiday }): ((at: number) => BusinessHours) => (at) => ({
    timeZone,
    week: isNight ? days.map(() => [NIGHT]) : days,
    holidays: [
      { date: new Date(at + holiday * 1_440 * MINUTE_MS).toISOString().slice(0, 10), name: 'Holiday' },
    ],
  }));
/** Shortly before a change of the clocks, or any time. */
const start = fc
  .constantFrom(
    '2026-03-27',
    '2026-10-23',
    '2026-03-06',
    '2026-10-30',
    '2026-04-03',
    '2026-10-02',
    '2026-06-15',
    '2026-12-30',
  )
  .chain((date) =>
    fc
      .integer({ min: 0, max: 2 * 1_440 })
      .map((minute) => Date.parse(`${date}T00:00:00Z`) + minute * MINUTE_MS),
  );

test('open time is what clocks on the wall show, and a due time has the open time before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      someHours,
      start,
      fc.integer({ min: 1, max: 4 * 1_440 }),
      async (hoursAt, since, minutes) => {
        const hours = hoursAt(since);
        let open = 0;
        for (let minute = 0; minute < minutes; minute += 1) {
          if (isOpen(hours, since + minute * MINUTE_MS)) open += 1;
        }
        const [from, until] = [
          new Date(since).toISOString(),
          new Date(since + minutes * MINUTE_MS).toISOString(),
        ];
        expect(await openMinutes(hours, from, until)).toBe(open);
        if (open === 0) return;
        const due = await dueAfter(hours, from, open);
        expect(await openMinutes(hours, from, due)).toBe(open);
        expect(Date.parse(due)).toBeLessThanOrEqual(Date.parse(until));
        // The last minute before it is open.
        expect(isOpen(hours, Date.parse(due) - MINUTE_MS)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
