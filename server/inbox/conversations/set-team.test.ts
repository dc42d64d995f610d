import { expect, test } from 'vitest';
import { setTeam } from '#server/inbox/conversations/changes.ts';
import { lockedConversation } from '#test/fixtures/locked-conversation.ts';

const NOTHING = { columns: {}, entries: [], events: [], notifications: [], clocks: [] };
const returns = { id: 'returns', name: 'Returns' };
const billing = { id: 'billing', name: 'Billing' };

test.each([
  ['no team', null],
  ['another team', billing],
])('from %s to a team is in the timeline, and no event follows', (_from, team) => {
  expect(setTeam(lockedConversation({ team }), returns)).toEqual({
    ...NOTHING,
    columns: { teamId: 'returns' },
    entries: [{ kind: 'team_set', data: { teamId: 'returns', teamName: 'Returns' } }],
  });
});

test('out of a team is in the timeline with the team’s name', () => {
  expect(setTeam(lockedConversation({ team: billing }), null)).toEqual({
    ...NOTHING,
    columns: { teamId: null },
    entries: [{ kind: 'team_removed', data: { teamName: 'Billing' } }],
  });
});

test.each([
  ['the team it is in', billing],
  ['no team, in none', null],
])('%s: nothing', (_which, team) => {
  expect(setTeam(lockedConversation({ team }), team)).toEqual(NOTHING);
});
