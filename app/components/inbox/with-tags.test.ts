import { expect, test } from 'vitest';
import { withTags } from '#app/components/inbox/with-tags.ts';

test('an added tag that is already there does not appear twice', () => {
  expect(withTags(['Refund', 'VIP'], ['refund', 'Lost', 'lost'])).toEqual(['Refund', 'VIP', 'Lost']);
});
