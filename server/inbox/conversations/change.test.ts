import { expect, test } from 'vitest';
import { changeOf, joinChanges } from '#server/inbox/conversations/changes.ts';

const NOTHING = {
  columns: {},
  record: {},
  entries: [],
  events: [],
  notifications: [],
  clocks: [],
  rows: [],
  jobs: [],
  isAssigneeChosen: false,
  flowCauses: [],
};

test('empty changes stay empty when joined', () => {
  expect(changeOf()).toEqual(NOTHING);
  expect(joinChanges([])).toEqual(NOTHING);
  expect(joinChanges([changeOf(), changeOf()])).toEqual(NOTHING);
});

test('joined changes keep the given order', () => {
  const solved = changeOf({
    columns: { status: 'solved' },
    record: { status: 'solved' },
    entries: [{ kind: 'status_changed', data: { from: 'open', to: 'solved' } }],
    events: [{ key: 'conversation.status_changed', details: { previous_status: 'open' } }],
    clocks: ['stop'],
  });
  const assigned = changeOf({
    columns: { assigneeId: 'ada' },
    record: { assignee: null },
    entries: [{ kind: 'assigned', data: { assigneeId: 'ada', assigneeName: 'Ada' } }],
    events: [{ key: 'conversation.assigned', details: { previous_assignee: null } }],
    notifications: [{ userId: 'ada', kind: 'assigned', data: { byName: null } }],
  });
  expect(joinChanges([solved, changeOf(), assigned])).toEqual({
    columns: { status: 'solved', assigneeId: 'ada' },
    record: { status: 'solved', assignee: null },
    entries: [...solved.entries, ...assigned.entries],
    events: [...solved.events, ...assigned.events],
    notifications: assigned.notifications,
    clocks: ['stop'],
    rows: [],
    jobs: [],
    isAssigneeChosen: false,
    flowCauses: [],
  });
});
