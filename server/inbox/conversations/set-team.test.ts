import { expect, test } from 'vitest';
import { changeOf, setTeam } from '#server/inbox/conversations/changes.ts';

const NOTHING = changeOf();
const returns = { id: 'returns', name: 'Returns' };
const billing = { id: 'billing', name: 'Billing' };

test.each([
  ['no team', null],
  ['another team', billing],
])('a move from %s to a team adds a timeline entry and emits no event', (_from, team) => {
  expect(setTeam({ team }, returns)).toEqual({
    ...NOTHING,
    columns: { teamId: 'returns' },
    record: { team: returns },
    entries: [{ kind: 'team_set', data: { teamId: 'returns', teamName: 'Returns' } }],
  });
});

test('a removal from a team adds a timeline entry with the team’s name', () => {
  expect(setTeam({ team: billing }, null)).toEqual({
    ...NOTHING,
    columns: { teamId: null },
    record: { team: null },
    entries: [{ kind: 'team_removed', data: { teamName: 'Billing' } }],
  });
});

test.each([
  ['its current team', billing],
  ['no team without a current team', null],
])('setting %s changes nothing', (_which, team) => {
  expect(setTeam({ team }, team)).toEqual(NOTHING);
});
