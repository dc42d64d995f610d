import { expect, test } from 'vitest';
import { typedName } from '#app/components/command-menu/typed-name.ts';

test.each([
  ['ada', 'ada'],
  ['Assign to Ada Lovelace', 'Ada Lovelace'],
  ['assign ada', 'ada'],
  ['Assign to ', ''],
  ['insert refund', 'refund'],
  ['Conversations assigned to Ada', 'Ada'],
  ['Conversations in team Billing', 'Billing'],
  ['view urgent', 'urgent'],
  ['add tag  VIP gold ', 'VIP gold'],
  ['tagged', 'tagged'],
  ['Ada to', 'Ada to'],
  ['', ''],
])('the name in %j is %j', (text, name) => {
  expect(typedName(text)).toBe(name);
});
