import { describe, expect, test } from 'vitest';
import { parseEmail } from '#server/contract/parse-email.ts';
import { asciiEmail, shownEmail } from '#server/core/email-domain.ts';

describe('an address compares with its domain in ASCII, and is shown in Unicode', () => {
  test.for([
    ['info@müller.example', 'info@xn--mller-kva.example', 'info@müller.example'],
    ['Info@MÜLLER.Example', 'info@xn--mller-kva.example', 'info@müller.example'],
    ['info@mu\u0308ller.example', 'info@xn--mller-kva.example', 'info@müller.example'],
    ['info@XN--MLLER-KVA.example', 'info@xn--mller-kva.example', 'info@müller.example'],
    ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah', 'info@例え.テスト'],
    ['info@faß.example', 'info@xn--fa-hia.example', 'info@faß.example'],
    ['ada@example.com', 'ada@example.com', 'ada@example.com'],
    ['ADA@Example.com', 'ada@example.com', 'ada@example.com'],
    ['ünal@example.com', 'ünal@example.com', 'ünal@example.com'],
  ] as const)('%s', ([input, ascii, shown]) => {
    expect(asciiEmail(input)).toBe(ascii);
    expect(shownEmail(ascii)).toBe(shown);
    expect(asciiEmail(shown)).toBe(ascii);
  });

  test.for(['a@xn--a.example', 'a@ü/x.example', 'a@ü@', 'a', '', 'a@\ud800.example', 'a@xn--'])(
    'what has no valid domain stays as it is: %j',
    (input) => {
      expect(asciiEmail(input)).toBe(input);
      expect(shownEmail(input)).toBe(input);
    },
  );

  test('a contact without an address has none', () => {
    expect(shownEmail(null)).toBeNull();
  });

  test.for([
    ['info@müller.example', 'info@xn--mller-kva.example'],
    ['ü@example.com', undefined],
    ['info@mü ller.example', undefined],
    ['info@mü/ller.example', undefined],
    ['info@-ü.example..', undefined],
    ['\u212ada@example.com', undefined],
  ] as const)('typed: %s', ([input, parsed]) => {
    expect(parseEmail(input)).toBe(parsed);
  });
});
