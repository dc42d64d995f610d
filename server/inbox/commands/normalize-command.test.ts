import { describe, expect, test } from 'vitest';
import { isCommandName, normalizeCommand } from '#server/inbox/commands/command-name.ts';

test.each([
  ['refund', 'refund'],
  ['/refund', 'refund'],
  ['/Refund-NOW_2', 'refund-now_2'],
  ['  /refund  ', 'refund'],
  ['//refund', '/refund'],
  ['/', ''],
  ['', ''],
])('%j is normalized to %j', (input, normalized) => {
  expect(normalizeCommand(input)).toBe(normalized);
});

describe('a command name', () => {
  test.each(['a', '1', '9lives', 'refund', 're-fund', 're_fund', 'a-', 'a_', 'x'.repeat(48)])(
    'may be %j',
    (text) => {
      expect(isCommandName(text)).toBe(true);
    },
  );

  test.each(['', '-a', '_a', '/a', 'a b', 'A', 'größe', 'a.b', 'a\n', '😀', 'x'.repeat(49)])(
    'may not be %j',
    (text) => {
      expect(isCommandName(text)).toBe(false);
    },
  );
});
