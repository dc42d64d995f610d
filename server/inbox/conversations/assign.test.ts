import { describe, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { assign, changeOf, isNothing } from '#server/inbox/conversations/changes.ts';
import type { Actor } from '#server/teammates/actor.ts';

const now = new Date('2026-11-21T06:29:29.123Z');
const teammate = (name: string): Teammate => ({ id: name.toLowerCase(), name, email: `${name}@acme.test` });
const [ada, ben] = [teammate('Ada'), teammate('Ben')];
const workflow: Actor = { kind: 'workflow', teammate: ada, connectionId: 'connection' };
const NOTHING = changeOf();
const CHOSEN = changeOf({ isAssigneeChosen: true });

describe('assigning to a teammate', () => {
  test.each([
    ['nobody', null],
    ['somebody else', ben],
  ])('after %s emits the previous assignee and notifies the new one', (_from, previous) => {
    expect(assign({ assignee: previous }, { assignee: ada, actor: workflow, now })).toEqual({
      ...NOTHING,
      columns: { assigneeId: 'ada', assignedAt: now },
      record: { assignee: ada },
      entries: [{ kind: 'assigned', data: { assigneeId: 'ada', assigneeName: 'Ada' } }],
      events: [{ key: 'conversation.assigned', details: { previous_assignee: previous } }],
      notifications: [{ userId: 'ada', kind: 'assigned', data: { byName: 'Ada' } }],
      clocks: [],
      isAssigneeChosen: true,
    });
  });

  test('who is already the assignee changes nothing', () => {
    const change = assign({ assignee: ben }, { assignee: ben, actor: workflow, now });
    expect(change).toEqual(CHOSEN);
    expect(isNothing(change)).toBe(true);
  });

  test.each([{ kind: 'ai_agent' }, { kind: 'flow', name: 'Refunds' }, { kind: 'automatic' }] as const)(
    'by $kind names no teammate',
    (actor) => {
      const { notifications } = assign(
        { assignee: null },
        {
          assignee: ben,
          actor,
          now,
        },
      );
      expect(notifications).toEqual([{ userId: 'ben', kind: 'assigned', data: { byName: null } }]);
    },
  );
});

describe('unassigning', () => {
  test('adds a timeline entry and an event for programs, but no notification', () => {
    expect(assign({ assignee: ben }, { assignee: null, actor: workflow, now })).toEqual({
      ...NOTHING,
      columns: { assigneeId: null, assignedAt: null },
      events: [{ key: 'conversation.unassigned', details: { previous_assignee: ben } }],
      record: { assignee: null },
      entries: [{ kind: 'unassigned', data: { assigneeName: 'Ben' } }],
      isAssigneeChosen: true,
    });
  });

  test('changes nothing when the conversation is unassigned', () => {
    expect(assign({ assignee: null }, { assignee: null, actor: workflow, now })).toEqual(CHOSEN);
  });
});
