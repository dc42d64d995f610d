import { expect, test } from 'vitest';
import { changeOf, setTeam } from '#server/inbox/conversations/changes.ts';

const NOTHING = changeOf();
const returns = { id: 'returns', name: 'Returns' };
const billing = { id: 'billing', name: 'Billing' };

test.each([
  ['no team', null],
  ['another team', billing],
])('from %s to a team is in the timeline, and no event follows', (_from, team) => {
  expect(setTeam({ team }, returns)).toEqual({
    ...NOTHING,
    columns: { teamId: 'returns' },
    record: { team: returns },
    entries: [{ kind: 'team_set', data: { teamId: 'returns', teamName: 'Returns' } }],
  });
});

test('out of a team is in the timeline with the team’s name', () => {
  expect(setTeam({ team: billing }, null)).toEqual({
    ...NOTHING,
    columns: { teamId: null },
    record: { team: null },
    entries: [{ kind: 'team_removed', data: { teamName: 'Billing' } }],
  });
});

test.each([
  ['the team it is in', billing],
  ['no team, in none', null],
])('%s: nothing', (_which, team) => {
  expect(setTeam({ team }, team)).toEqual(NOTHING);
});
