import { describe, expect, it, test } from 'vitest';
import { describeInvitation } from '#server/inbox/mail-parser/describe-invitation.ts';
import { parseInvitation } from '#server/inbox/mail-parser/parse-invitation.ts';

/** Returns a calendar with one event, whose lines are given. */
function calendar(lines: string[], { method = 'REQUEST', before = [] as string[] } = {}): string {
  const all = [
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    ...before,
    'BEGIN:VEVENT',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${all.join('\r\n')}\r\n`;
}

const WHEN = ['DTSTART;TZID=Europe/Berlin:20261201T100000', 'DTEND;TZID=Europe/Berlin:20261201T103000'];

/** The zone of Outlook, which only its own rules describe. */
const OUTLOOK_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

it('has what, when, where and who', () => {
  const lines = [
    'SUMMARY:Demo of the lamp',
    ...WHEN,
    'LOCATION:Room 4',
    'ORGANIZER;CN=Kim Lund:mailto:kim@lund.test',
  ];
  const invitation = parseInvitation(calendar(lines));
  expect(invitation).toEqual({
    kind: 'request',
    answer: null,
    title: 'Demo of the lamp',
    start: '2026-12-01T09:00:00.000Z',
    end: '2026-12-01T09:30:00.000Z',
    timeZone: 'Europe/Berlin',
    place: 'Room 4',
    organizer: 'Kim Lund',
    repeats: false,
  });
  expect(invitation && describeInvitation(invitation)).toBe(
    '[Invitation: Demo of the lamp, 1 Dec 2026, 10:00 (Europe/Berlin), Room 4]',
  );
});

describe('the time of an event', () => {
  test.each([
    ['in a zone, in summer', ['DTSTART;TZID=Europe/Berlin:20260701T100000'], '2026-07-01T08:00:00.000Z'],
    ['in a zone west of UTC', ['DTSTART;TZID=America/New_York:20260701T100000'], '2026-07-01T14:00:00.000Z'],
    ['in UTC', ['DTSTART:20260701T100000Z'], '2026-07-01T10:00:00.000Z'],
    ['without a zone', ['DTSTART:20260701T100000'], '2026-07-01T10:00:00.000'],
    ['in an unknown zone', ['DTSTART;TZID=Nowhere:20260701T100000'], '2026-07-01T10:00:00.000'],
    ['of a whole day', ['DTSTART;VALUE=DATE:20260701'], '2026-07-01'],
  ])('%s', (_name, lines, start) => {
    expect(parseInvitation(calendar(lines))?.start).toBe(start);
  });

  test.each([
    ['20260701T100000', '2026-07-01T08:00:00.000Z'],
    ['20261201T100000', '2026-12-01T09:00:00.000Z'],
  ])('in a zone of Outlook: %s', (time, start) => {
    const lines = [`DTSTART;TZID=W. Europe Standard Time:${time}`];
    const invitation = parseInvitation(calendar(lines, { before: OUTLOOK_ZONE }));
    expect(invitation?.start).toBe(start);
    expect(invitation && describeInvitation(invitation)).toMatch(/ UTC\]$/);
  });

  test.each([
    [['DTSTART:20260701T100000Z', 'DURATION:PT45M'], '2026-07-01T10:45:00.000Z'],
    [['DTSTART;TZID=Europe/Berlin:20260701T100000', 'DURATION:PT1H'], '2026-07-01T09:00:00.000Z'],
    [['DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20260704'], '2026-07-03'],
    [['DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20260702'], null],
    [['DTSTART:20260701T100000Z'], null],
  ])('has an end: %s', (lines, end) => {
    expect(parseInvitation(calendar(lines))?.end).toBe(end);
  });
});

test.each([
  [
    'REPLY',
    ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@acme.test'],
    '[Invitation accepted: Call, 1 Dec 2026, 10:00 (Europe/Berlin)]',
  ],
  [
    'REPLY',
    ['ATTENDEE;PARTSTAT=DECLINED:mailto:a@acme.test'],
    '[Invitation declined: Call, 1 Dec 2026, 10:00 (Europe/Berlin)]',
  ],
  [
    'REPLY',
    ['ATTENDEE:mailto:a@acme.test'],
    '[Answer to invitation: Call, 1 Dec 2026, 10:00 (Europe/Berlin)]',
  ],
  ['CANCEL', [], '[Cancelled invitation: Call, 1 Dec 2026, 10:00 (Europe/Berlin)]'],
  ['PUBLISH', ['RRULE:FREQ=WEEKLY'], '[Invitation: Call, 1 Dec 2026, 10:00 (Europe/Berlin)]'],
])('%s is described by what it does: %s', (method, lines, words) => {
  const invitation = parseInvitation(calendar(['SUMMARY:Call', ...WHEN, ...lines], { method }));
  expect(invitation && describeInvitation(invitation)).toBe(words);
  expect(invitation?.repeats).toBe(method === 'PUBLISH');
});

test.each(['', 'BEGIN:VCALENDAR', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'hello', calendar(['DTSTART:soon'])])(
  'a calendar without a readable event is no invitation, or has no time: %j',
  (text) => {
    expect(parseInvitation(text)?.start ?? null).toBeNull();
  },
);
