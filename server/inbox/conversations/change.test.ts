import { expect, test } from 'vitest';
import { changeOf, joinChanges } from '#server/inbox/conversations/changes.ts';

const NOTHING = { columns: {}, entries: [], events: [], notifications: [], clocks: [] };

test('a change of nothing leaves everything as it is, also several of them', () => {
  expect(changeOf()).toEqual(NOTHING);
  expect(joinChanges([])).toEqual(NOTHING);
  expect(joinChanges([changeOf(), changeOf()])).toEqual(NOTHING);
});

test('several changes are written as one, in the order given', () => {
  const solved = changeOf({
    columns: { status: 'solved' },
    entries: [{ kind: 'status_changed', data: { from: 'open', to: 'solved' } }],
    events: [{ key: 'conversation.status_changed', details: { previous_status: 'open' } }],
    clocks: ['stop'],
  });
  const assigned = changeOf({
    columns: { assigneeId: 'ada' },
    entries: [{ kind: 'assigned', data: { assigneeId: 'ada', assigneeName: 'Ada' } }],
    events: [{ key: 'conversation.assigned', details: { previous_assignee: null } }],
    notifications: [{ userId: 'ada', kind: 'assigned', data: { byName: null } }],
  });
  expect(joinChanges([solved, changeOf(), assigned])).toEqual({
    columns: { status: 'solved', assigneeId: 'ada' },
    entries: [...solved.entries, ...assigned.entries],
    events: [...solved.events, ...assigned.events],
    notifications: assigned.notifications,
    clocks: ['stop'],
  });
});
