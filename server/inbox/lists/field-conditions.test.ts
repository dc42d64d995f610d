import { expect, test } from 'vitest';
import {
  type FieldCondition,
  parseFieldConditions,
  writeFieldConditions,
} from '#server/inbox/lists/field-conditions.ts';

const ID = '0190a1b2-0000-7000-8000-000000000001';
const CHOICE = '0190a1b2-0000-7000-8000-000000000002';
const of = (operator: FieldCondition['operator'], ...values: string[]): FieldCondition => ({
  subject: 'contact',
  fieldId: ID,
  operator,
  values,
});

test.each([
  [of('is', 'A:1, 100%')],
  [of('has', 'ä')],
  [of('eq', '12.5')],
  [of('lt', '-3')],
  [of('on', '2026-11-30')],
  [of('any', CHOICE, ID)],
  [of('set')],
  [of('empty')],
  [of('before', '2026-11-30'), { ...of('gt', '7'), subject: 'conversation' as const }],
])('conditions are the same after they were written and parsed (%#)', (...conditions) => {
  expect(parseFieldConditions(writeFieldConditions(conditions) ?? '')).toEqual(conditions);
});

test.each([
  '',
  'contact',
  `contact:${ID}`,
  `contact:${ID}:any`,
  `contact:${ID}:any:x`,
  `contact:${ID}:eq:many`,
  `contact:${ID}:eq:1:2`,
  `contact:${ID}:on:2027-02-29`,
  `contact:${ID}:is:%`,
  `contact:${ID}:is:`,
  `contact:${ID}:is:${'x'.repeat(101)}`,
  `contact:${ID}:set:1`,
  `contact:${ID}:constructor:1`,
  `company:${ID}:set`,
  `contact:x:set`,
  `contact:${ID}:any:${Array(11).fill(CHOICE).join(':')}`,
])('what is no condition is left out: %j', (text) => {
  expect(parseFieldConditions(`${text},contact:${ID}:empty`)).toEqual([of('empty')]);
});

test('at most five conditions are read and written, and an incomplete one is not written', () => {
  const six = Array.from({ length: 6 }, (_, at) => of('eq', String(at)));
  expect(parseFieldConditions(writeFieldConditions(six) ?? '')).toEqual(six.slice(0, 5));
  expect(writeFieldConditions([of('any'), of('is', ' ')])).toBeUndefined();
});
