import { describe, expect, test } from 'vitest';
import type { CustomField } from '#server/contacts/custom-fields.ts';
import { describeFieldValue, parseFieldValue } from '#server/contacts/field-values.ts';
import { Refusal } from '#server/core/errors.ts';

const PLAN = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  subject: 'contact',
  name: 'Plan',
  choices: [{ id: '0190a1b2-0000-7000-8000-000000000002', name: 'Pro' }],
} as const;
const field = (type: CustomField['type']): CustomField => ({ ...PLAN, choices: [...PLAN.choices], type });
const PRO = PLAN.choices[0].id;

describe('a typed value', () => {
  test.each([
    ['text', '  A-1 \n second ', 'A-1   second'],
    ['text', 'x'.repeat(500), 'x'.repeat(500)],
    ['number', '1250', '1250'],
    ['number', ' +007.500 ', '7.5'],
    ['number', '1 250 000', '1250000'],
    ['number', '−3.10', '-3.1'],
    ['number', '-0.00', '0'],
    ['number', '999999999999999.999999', '999999999999999.999999'],
    ['date', '2028-02-29', '2028-02-29'],
    ['choice', PRO, PRO],
    ['text', ' \n ', null],
    ['date', '', null],
  ] as const)('of the type %s is stored: %j', (type, typed, stored) => {
    expect(parseFieldValue(field(type), typed)).toBe(stored);
  });

  test.each([
    ['text', 'x'.repeat(501)],
    ['text', 'a\0b'],
    ['number', 'many'],
    ['number', '1,5'],
    ['number', '1e3'],
    ['number', '.5'],
    ['number', '1234567890123456'],
    ['number', '0.1234567'],
    ['number', 'NaN'],
    ['date', '2027-02-29'],
    ['date', '0000-01-01'],
    ['date', '29/11/2026'],
    ['date', '+12026-01-01'],
    ['choice', 'Pro'],
    ['choice', PLAN.id],
  ] as const)('that is no %s is refused by the name of the field: %j', (type, typed) => {
    expect(() => parseFieldValue(field(type), typed)).toThrow(
      expect.objectContaining({ errors: { value: [expect.stringMatching(/^Plan must be /)] } }),
    );
    expect(() => parseFieldValue(field(type), typed)).toThrow(Refusal);
  });
});

test.each([
  ['text', 'A-1', 'A-1'],
  ['number', '7.5', '7.5'],
  ['date', '2026-11-30', '30 Nov 2026'],
  ['choice', PRO, 'Pro'],
  ['choice', PLAN.id, ''],
] as const)('a stored %s reads as people write it', (type, stored, read) => {
  expect(describeFieldValue(field(type), stored)).toBe(read);
});
