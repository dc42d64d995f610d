import { expect, test } from 'vitest';
import { changeOf, setPriority, setStatus } from '#server/inbox/conversations/changes.ts';
import type { FlowCause } from '#server/inbox/conversations/flow-cause.ts';
import { causesOf } from '#server/inbox/conversations/plan-flows.ts';
import type { FlowTrigger } from '#server/inbox/flows/flow.ts';
import { matchesTrigger } from '#server/inbox/flows/matches-trigger.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const OTHER = '019a0000-0000-7000-8000-000000000002';
const matches = (trigger: FlowTrigger, cause: FlowCause) => matchesTrigger({ id: ID, trigger }, cause);

test.each<[FlowTrigger, FlowCause, boolean]>([
  [{ kind: 'replied' }, { kind: 'replied' }, true],
  [{ kind: 'replied' }, { kind: 'assigned' }, false],
  [{ kind: 'status_changed', to: null }, { kind: 'status_changed', to: 'open' }, true],
  [{ kind: 'status_changed', to: 'open' }, { kind: 'status_changed', to: 'open' }, true],
  [{ kind: 'status_changed', to: 'open' }, { kind: 'status_changed', to: 'solved' }, false],
  [{ kind: 'priority_changed', to: 'urgent' }, { kind: 'priority_changed', to: 'low' }, false],
  [{ kind: 'tagged', tags: [] }, { kind: 'tagged', tags: ['any'] }, true],
  [{ kind: 'tagged', tags: ['VIP', 'x'] }, { kind: 'tagged', tags: ['a', 'vip'] }, true],
  [{ kind: 'tagged', tags: ['VIP'] }, { kind: 'tagged', tags: ['vips'] }, false],
  [{ kind: 'team_set', teamId: ID }, { kind: 'team_set', teamId: ID, teamName: 'A' }, true],
  [{ kind: 'team_set', teamId: ID }, { kind: 'team_set', teamId: OTHER, teamName: 'A' }, false],
  [{ kind: 'sla_missed', limit: 'resolution' }, { kind: 'sla_missed', limit: 'first_response' }, false],
  [{ kind: 'team_silent', hours: 4 }, { kind: 'team_silent', flowId: ID, hours: 4 }, true],
  [{ kind: 'team_silent', hours: 4 }, { kind: 'team_silent', flowId: OTHER, hours: 4 }, false],
])('%j and %j: %s', (trigger, cause, expected) => {
  expect(matches(trigger, cause)).toBe(expected);
});

test('a change causes what its timeline entries say, and what it names itself', () => {
  const now = new Date();
  expect(causesOf(setStatus({ status: 'open' }, { status: 'solved', now }))).toEqual([
    { kind: 'status_changed', to: 'solved' },
  ]);
  expect(causesOf(setPriority({ priority: 'low' }, 'high'))).toEqual([
    { kind: 'priority_changed', to: 'high' },
  ]);
  expect(
    causesOf(
      changeOf({
        flowCauses: [{ kind: 'replied' }],
        entries: [
          { kind: 'tagged', data: { tags: ['a'] } },
          { kind: 'untagged', data: { tags: ['b'] } },
          { kind: 'sla_breached', data: { limit: 'resolution' } },
        ],
      }),
    ),
  ).toEqual([
    { kind: 'replied' },
    { kind: 'tagged', tags: ['a'] },
    { kind: 'sla_missed', limit: 'resolution' },
  ]);
});
