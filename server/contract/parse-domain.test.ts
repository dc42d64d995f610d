import { expect, test } from 'vitest';
import { parseDomain } from '#server/contract/parse-email.ts';

test.each([
  ['example.com', 'example.com'],
  [' Mail.Example.COM. ', 'mail.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['a-1.b2.co', 'a-1.b2.co'],
])('%j is the domain %s', (typed, domain) => {
  expect(parseDomain(typed)).toBe(domain);
});

test.each([
  '',
  'localhost',
  'ada@example.com',
  'https://example.com',
  'example.com/x',
  '-a.example.com',
  'a-.example.com',
  'a..example.com',
  '192.168.0.1',
  '[::1]',
  'a b.com',
  '_x.example.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
  'example.com\0',
])('%j is not a domain', (typed) => {
  expect(() => parseDomain(typed)).toThrow(
    'Enter the domain of your email addresses, for example example.com.',
  );
});
