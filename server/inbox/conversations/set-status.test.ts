import { describe, expect, test } from 'vitest';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { changeOf, setStatus, statusProblem } from '#server/inbox/conversations/changes.ts';

const now = new Date('2026-11-21T06:29:29.123Z');
const STATUSES = Object.values(ConversationStatus);
const PAIRS = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

const POSSIBLE = PAIRS.filter(([from, to]) => from !== 'closed' && from !== to);
const SAME = PAIRS.filter(([from, to]) => from === to);
const IMPOSSIBLE = PAIRS.filter(([from, to]) => from === 'closed' && from !== to);

test('of the sixteen pairs nine are changes, four are unchanged and three are impossible', () => {
  expect([POSSIBLE.length, SAME.length, IMPOSSIBLE.length]).toEqual([9, 4, 3]);
});

test.each(POSSIBLE)(
  'a change from %s to %s sets status and clocks, adds a timeline entry and emits an event',
  (from, to) => {
    expect(statusProblem(from, to)).toBeUndefined();
    expect(setStatus({ status: from }, { status: to, now })).toEqual({
      ...changeOf(),
      columns: {
        status: to,
        statusChangedAt: now,
        ...(from === 'pending' ? { snoozedUntil: null } : {}),
        ...(to === 'solved' ? { resolvedAt: now } : {}),
      },
      record: { status: to, ...(to === 'solved' ? { resolved_at: '2026-11-21T06:29:29.123+00:00' } : {}) },
      entries: [{ kind: 'status_changed', data: { from, to } }],
      events: [{ key: 'conversation.status_changed', details: { previous_status: from } }],
      notifications: [],
      clocks: [{ open: 'resume', pending: 'pause', solved: 'stop', closed: 'stop' }[to]],
    });
  },
);

test.each(SAME)('a change from %s to %s is empty', (from, to) => {
  expect(statusProblem(from, to)).toBeUndefined();
  expect(setStatus({ status: from }, { status: to, now })).toEqual(changeOf());
});

describe('a closed conversation stays closed', () => {
  test.each(IMPOSSIBLE)(
    'a change from %s to %s is refused with a sentence that says what is possible',
    (from, to) => {
      const sentence = statusProblem(from, to);
      expect(sentence).toMatch(
        new RegExp(`^The status cannot change from closed to ${to}: .*stays closed.*\\.$`),
      );
      expect(sentence).toContain('open, pending and solved');
      expect(() => setStatus({ status: from }, { status: to, now })).toThrow(sentence);
    },
  );
});
