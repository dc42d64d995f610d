import { describe, expect, test } from 'vitest';
import { parseHookFilter } from '#server/automation/hooks/hook-filter.ts';
import { EVENT_KEYS, EVENTS, type EventFilter } from '#server/contract/event-catalogue.ts';

const NONE = { status: null, tag: null, command: null };
const input = (field: EventFilter, value: unknown) => ({
  status: undefined,
  tag: undefined,
  command: undefined,
  [field]: value,
});

const FIELDS: [EventFilter, 'conversation.status_changed' | 'conversation.tagged' | 'operator.command'][] = [
  ['status', 'conversation.status_changed'],
  ['tag', 'conversation.tagged'],
  ['command', 'operator.command'],
];

describe('a filter that does not belong to the event is ignored, valid or not', () => {
  test.each(EVENT_KEYS)('%s', (event) => {
    for (const wrong of [7, true, [], {}, '\0', 'x'.repeat(999), 'nonsense!']) {
      const filters = { status: wrong, tag: wrong, command: wrong };
      const own = EVENTS[event].filter;
      expect(parseHookFilter(event, own ? { ...filters, [own]: null } : filters)).toEqual({ filter: NONE });
    }
  });
});

describe.each(FIELDS)('the filter %s of %s', (field, event) => {
  test.each([undefined, null, '', '  '])('is not set by %j', (value) => {
    expect(parseHookFilter(event, input(field, value))).toEqual({ filter: NONE });
  });

  const notText = [0, 7, true, false, [], ['open'], {}].map((value) => ({ value }));
  test.each(notText)('may not be $value', ({ value }) => {
    const refused = { field, problem: `The ${field} must be text.` };
    expect(parseHookFilter(event, input(field, value))).toEqual(refused);
  });

  test.each(['a\0', 'a\ud83d'])('may not contain %j', (value) => {
    const refused = { field, problem: `The ${field} contains a character that cannot be stored. Remove it.` };
    expect(parseHookFilter(event, input(field, value))).toEqual(refused);
  });
});

test.each(['open', 'pending', 'solved', ' closed '])('the status may be %j', (status) => {
  const read = parseHookFilter('conversation.status_changed', input('status', status));
  expect(read).toEqual({ filter: { ...NONE, status: status.trim() } });
});

test.each(['Open', 'reopened', 'open,closed', 'x'.repeat(50)])('the status may not be %j', (status) => {
  expect(parseHookFilter('conversation.status_changed', input('status', status))).toEqual({
    field: 'status',
    problem: 'The status must be one of open, pending, solved, closed.',
  });
});

test('a tag preserves its spelling and has at most 40 code points', () => {
  const tag = (value: string) => parseHookFilter('conversation.tagged', input('tag', value));
  expect(tag(' VIP Kunde ')).toEqual({ filter: { ...NONE, tag: 'VIP Kunde' } });
  expect(tag('😀'.repeat(40))).toEqual({ filter: { ...NONE, tag: '😀'.repeat(40) } });
  expect(tag('😀'.repeat(41))).toEqual({ field: 'tag', problem: 'The tag must be at most 40 characters.' });
});

test.each([
  ['/Refund', 'refund'],
  ['re-fund_2', 're-fund_2'],
  [`/${'x'.repeat(48)}`, 'x'.repeat(48)],
  ['/', null],
  [' / ', null],
])('the command %j is %j', (value, command) => {
  const read = parseHookFilter('operator.command', input('command', value));
  expect(read).toEqual({ filter: { ...NONE, command } });
});

test.each(['re fund', '//refund', '/ refund', '-refund', 'größe', 'x'.repeat(49), 'x'.repeat(201)])(
  'the command may not be %j, and the message states the rule for commands',
  (value) => {
    const read = parseHookFilter('operator.command', input('command', value));
    expect(read).toMatchObject({
      field: 'command',
      problem: expect.stringMatching(/at most 48 characters\.$/),
    });
  },
);
