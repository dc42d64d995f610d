import { expect, test } from 'vitest';
import { suggestTags } from '#app/components/inbox/suggest-tags.ts';

const KNOWN = ['Billing', 'Refund', 'Late refund', 'VIP'];

test.each([
  ['', [], ['Billing', 'Refund', 'Late refund', 'VIP']],
  ['REF', [], ['Refund', 'Late refund']],
  ['und', [], ['Refund', 'Late refund']],
  ['vip, bill', [], ['Billing']],
  ['ref', ['refund'], ['Late refund']],
  ['nothing like it', [], []],
  ['Refnd', [], ['Refund']],
  ['late reufnd', [], ['Late refund']],
  ['vpi', [], []],
  ['vip, Biling', [], ['Billing']],
  ['refudn', ['refund'], []],
  ['q', [], []],
])('typing %j with tags %j suggests %j', (typed, present, expected) => {
  expect(suggestTags(KNOWN, { typed, present })).toEqual(expected);
});

test('limits the list to eight', () => {
  const many = Array.from({ length: 30 }, (_, n) => `tag ${n}`);
  expect(suggestTags(many, { typed: 'tag', present: [] })).toHaveLength(8);
});
