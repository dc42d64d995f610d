import { describe, expect, test } from 'vitest';
import {
  type BusinessHours,
  HOLIDAYS_MAX,
  isTimeZone,
  normalizeHours,
  type OpenSpan,
  readBusinessHours,
} from '#server/core/business-hours.ts';

const OFFICE: OpenSpan = [540, 1_020];
const HOURS: BusinessHours = {
  timeZone: 'Europe/Berlin',
  week: [[OFFICE], [OFFICE], [OFFICE], [OFFICE], [OFFICE], [], []],
  holidays: [],
};
/** Returns office hours with other opening times on Monday. */
const monday = (...spans: OpenSpan[]) => ({ ...HOURS, week: [spans, ...HOURS.week.slice(1)] });
const holidays = (...list: BusinessHours['holidays']) => ({ ...HOURS, holidays: list });
const errorsOf = (hours: BusinessHours) => {
  const parsed = normalizeHours(hours);
  return 'errors' in parsed ? parsed.errors : {};
};

describe('business hours', () => {
  test.each<[string, BusinessHours]>([
    ['of an office', HOURS],
    ['with a break', monday([480, 720], [780, 1_020])],
    ['until midnight and from midnight on', monday([0, 60], [1_380, 1_440])],
    ['of a night shift', monday([1_320, 1_800])],
    ['of a whole day', monday([0, 1_440])],
    ['of the whole week', { ...HOURS, week: HOURS.week.map((): OpenSpan[] => [[0, 1_440]]) }],
    ['of one day', { ...HOURS, week: [[OFFICE], [], [], [], [], [], []] }],
    ['with a holiday on 29 February', holidays({ date: '2028-02-29', name: 'Leap day' })],
  ])('%s are accepted', (_what, hours) => {
    expect(normalizeHours(hours)).toEqual({ hours });
  });

  test('are stored in order, with seven days and trimmed names', () => {
    const hours: BusinessHours = {
      ...HOURS,
      week: [
        [
          [780, 1_020],
          [480, 720],
        ],
      ],
      holidays: [
        { date: '2026-12-26', name: ' Boxing Day ' },
        { date: '2026-12-25', name: 'Christmas Day' },
      ],
    };
    expect(normalizeHours(hours)).toEqual({
      hours: {
        timeZone: 'Europe/Berlin',
        week: [
          [
            [480, 720],
            [780, 1_020],
          ],
          [],
          [],
          [],
          [],
          [],
          [],
        ],
        holidays: [
          { date: '2026-12-25', name: 'Christmas Day' },
          { date: '2026-12-26', name: 'Boxing Day' },
        ],
      },
    });
  });

  const times = ['Enter when you open and when you close.'];
  const overlap = ['These opening times overlap. Change or remove one.'];
  test.each<[string, BusinessHours, object]>([
    [
      'without an open day',
      { ...HOURS, week: HOURS.week.map(() => []) },
      { week: ['Open on at least one day.'] },
    ],
    ['without a start', monday([-1, 1_020]), { day0: times }],
    ['without an end', monday([540, -1]), { day0: times }],
    ['that end when they start', monday([540, 540]), { day0: times }],
    ['that start the next day', monday([1_440, 1_500]), { day0: times }],
    ['that last more than a day', monday([540, 1_981]), { day0: times }],
    ['with half a minute', monday([540.5, 1_020]), { day0: times }],
    ['that overlap', monday([540, 720], [700, 800]), { day0: overlap }],
    ['that last into those of the next day', monday([1_320, 1_440 + 541]), { day0: overlap }],
    [
      'whose Sunday lasts into those of Monday',
      { ...HOURS, week: [...HOURS.week.slice(0, 6), [[1_320, 1_440 + 541]]] },
      { day6: overlap },
    ],
    [
      'with five opening times a day',
      monday([0, 60], [120, 180], [240, 300], [360, 420], [480, 540]),
      { day0: ['A day can have up to 4 opening times.'] },
    ],
    [
      'in an unknown time zone',
      { ...HOURS, timeZone: 'Europe/Nowhere' },
      { timeZone: ['Choose a time zone.'] },
    ],
    [
      'with a day that does not exist',
      holidays({ date: '2027-02-29', name: 'Leap day' }),
      { holidays: ['Choose a date for each holiday.'] },
    ],
    [
      'with a holiday without a name',
      holidays({ date: '2026-12-25', name: ' ' }),
      { holidays: ['Enter a name for each holiday.'] },
    ],
    [
      'with a long name of a holiday',
      holidays({ date: '2026-12-25', name: 'x'.repeat(81) }),
      { holidays: ['The name of a holiday must be at most 80 characters.'] },
    ],
    [
      'with two holidays on one day',
      holidays({ date: '2026-12-25', name: 'Christmas' }, { date: '2026-12-25', name: 'Noël' }),
      { holidays: ['Christmas has the same date as another holiday. Remove one.'] },
    ],
    [
      'with too many holidays',
      holidays(...Array.from({ length: HOLIDAYS_MAX + 1 }, () => ({ date: '2026-12-25', name: 'x' }))),
      { holidays: ['You can add up to 100 holidays. Remove past ones.'] },
    ],
  ])('%s are refused', (_what, hours, errors) => {
    expect(errorsOf(hours)).toEqual(errors);
  });
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['+02:00', false],
  ['-02:00', false],
  ['', false],
  ['Nowhere', false],
])('%j is a time zone: %s', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});

test('hours are read as they were stored, and none as null', () => {
  expect(readBusinessHours(JSON.parse(JSON.stringify(HOURS)))).toEqual(HOURS);
  expect(readBusinessHours(null)).toBeNull();
});
