import { expect, test } from 'vitest';
import { addressKey } from '#server/core/limits/address-key.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test('an attacker with an IPv6 /64 is one address, and the neighbouring /64 another', () => {
  const own = Array.from({ length: 100 }, (_, i) => addressKey(`2001:db8:0:7:${i.toString(16)}::${i}`));
  expect(new Set(own).size).toBe(1);
  expect(addressKey('2001:db8:0:8::1')).not.toBe(own[0]);
});

test('a value that is not an address counts by its prefix', () => {
  expect(addressKey('x'.repeat(1_000_000))).toBe('x'.repeat(100));
});
