import { expect, test } from 'vitest';
import { plainSentence, withoutApiNames } from '#app/lib/outcome.ts';

test('the API’s names of fields are left out, other brackets stay', () => {
  expect(withoutApiNames('The assignee (assignee_id) must be a teammate (or nobody).')).toBe(
    'The assignee must be a teammate (or nobody).',
  );
});

test('a refusal reads without them', () => {
  const refusal = Object.assign(new Error('The team (team_id) must be a team of this workspace.'), {
    refusal: 'invalid',
  });
  expect(plainSentence(refusal)).toBe('The team must be a team of this workspace.');
});
