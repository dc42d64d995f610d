import { expect, test } from 'vitest';
import { linkAddress } from '#app/components/composer/link-address.ts';

test.each([
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  [' example.com/guide ', 'https://example.com/guide'],
  ['example.com:8080', 'https://example.com:8080'],
  ['help@example.com', 'mailto:help@example.com'],
  ['mailto:help@example.com', 'mailto:help@example.com'],
  ['+44 20 7946 0018', 'tel:+442079460018'],
])('%s leads to %s', (typed, address) => {
  expect(linkAddress(typed)).toBe(address);
});

test.each([
  '',
  'guide',
  'our guide',
  'see example.com now',
  'javascript:alert(1)',
  'data:text/html,hello.',
  // Too long with its scheme.
  `example.com/${'a'.repeat(1_985)}`,
])('%s is no address of a link', (typed) => {
  expect(linkAddress(typed)).toBeNull();
});
