import { describe, expect, test } from 'vitest';
import {
  lengthOf,
  optionalText,
  requiredContent,
  requiredEmail,
  requiredText,
} from '#server/contract/fields.ts';

const rules = { label: 'subject', max: 5, description: 'A text.' };

function read(field: ReturnType<typeof requiredText | typeof optionalText>, value: unknown) {
  const result = field.safeParse(value);
  return result.success ? { value: result.data } : { refused: result.error.issues.map((i) => i.message) };
}

const NOT_TEXT = [0, 1, true, false, [], ['a'], {}, { a: 1 }].map((value) => ({ value }));
const BLANK = [undefined, null, '', ' ', '\t\n', '\u00a0\u3000'];

test('a length is counted in code points', () => {
  expect(['', 'abc', '😀😀', 'e\u0301', '👩‍👩‍👧'].map(lengthOf)).toEqual([0, 3, 2, 2, 5]);
});

describe('an optional text', () => {
  const field = optionalText(rules);

  test.each(BLANK)('counts as not sent if it is %j', (value) => {
    expect(read(field, value)).toEqual({ value: undefined });
  });

  test('is trimmed and then counted', () => {
    expect(read(field, '  12345 ')).toEqual({ value: '12345' });
    expect(read(field, '  123456 ')).toEqual({ refused: ['The subject must be at most 5 characters.'] });
    expect(read(field, '😀'.repeat(5))).toEqual({ value: '😀'.repeat(5) });
    expect(read(field, '😀'.repeat(6))).toEqual({ refused: ['The subject must be at most 5 characters.'] });
  });

  test.each(NOT_TEXT)('must not be $value', ({ value }) => {
    expect(read(field, value)).toEqual({ refused: ['The subject must be text.'] });
  });

  test.each(['\0', 'a\0', '\ud83d', 'a\ude00'])('must not contain %j', (value) => {
    const sentence = 'The subject contains a character that cannot be stored. Remove it.';
    expect(read(field, value)).toEqual({ refused: [sentence] });
  });
});

describe('a required text', () => {
  test.each(BLANK)('is missing if it is %j', (value) => {
    expect(read(requiredText(rules), value)).toEqual({ refused: ['The subject is required.'] });
  });

  test.each(NOT_TEXT)('must not be $value', ({ value }) => {
    expect(read(requiredText(rules), value)).toEqual({ refused: ['The subject must be text.'] });
  });

  test('is trimmed', () => {
    expect(read(requiredText(rules), ' Hi ')).toEqual({ value: 'Hi' });
  });

  test('formats its limit with a thousands separator', () => {
    const field = requiredText({ ...rules, max: 8_000 });
    expect(read(field, 'x'.repeat(8_001))).toEqual({
      refused: ['The subject must be at most 8,000 characters.'],
    });
  });
});

describe('content', () => {
  test('keeps its white space, which counts', () => {
    expect(read(requiredContent(rules), ' a\n ')).toEqual({ value: ' a\n ' });
    expect(read(requiredContent(rules), ' 1234 ')).toEqual({
      refused: ['The subject must be at most 5 characters.'],
    });
  });

  test.each(BLANK)('is missing if it is %j', (value) => {
    expect(read(requiredContent(rules), value)).toEqual({ refused: ['The subject is required.'] });
  });

  test.each(NOT_TEXT)('must not be $value', ({ value }) => {
    expect(read(requiredContent(rules), value)).toEqual({ refused: ['The subject must be text.'] });
  });
});

describe('an email address', () => {
  const field = requiredEmail({ label: 'email', max: 30, description: 'An address.' });

  test('is trimmed and lowercased', () => {
    expect(read(field, ' Ada.L+x@Example.COM ')).toEqual({ value: 'ada.l+x@example.com' });
  });

  test.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a da@example.com',
    'ada@example.com, eve@evil.test',
    'ada@example.com\r\nBcc: eve@evil.test',
    'Ada <ada@example.com>',
    'ada@-example.com',
    'ada@example..com',
    'hoo\u212A@example.com',
  ])('is not %j', (value) => {
    expect(read(requiredEmail({ label: 'email', max: 99, description: 'An address.' }), value)).toEqual({
      refused: ['The email must be a valid email address, such as ada@example.com.'],
    });
  });

  test('is checked for its length first, and is missing if it is blank', () => {
    expect(read(field, `${'x'.repeat(40)}@example`)).toEqual({
      refused: ['The email must be at most 30 characters.'],
    });
    expect(read(field, ' ')).toEqual({ refused: ['The email is required.'] });
    expect(read(field, 7)).toEqual({ refused: ['The email must be text.'] });
  });
});
