import { expect, test } from 'vitest';
import { refusedBy, withoutApiNames } from '#app/lib/outcome.ts';

test('removes API field names, but no other parentheses', () => {
  expect(withoutApiNames('The assignee (assignee_id) must be a teammate (or nobody).')).toBe(
    'The assignee must be a teammate (or nobody).',
  );
});

test('returns the message of a refusal without API field names', () => {
  const refusal = Object.assign(new Error('The team (team_id) must be a team of this workspace.'), {
    refusal: 'invalid',
  });
  expect(refusedBy(refusal).problem).toBe('The team must be a team of this workspace.');
});
