import { expect, test } from 'vitest';
import { ownAddress } from '#server/http/pages/next-pages.ts';

test.each([
  ['loopback', '127.0.0.1', '127.0.0.1'],
  ['all of IPv4', '0.0.0.0', '127.0.0.1'],
  ['all of IPv6', '::', '::1'],
  ['one address', '192.0.2.7', '192.0.2.7'],
  ['one name', 'inbox.internal', 'inbox.internal'],
])('a process that listens on %s reaches itself at its own port', (_what, HOST, hostname) => {
  expect(ownAddress({ HOST, PORT: 8123 })).toEqual({ hostname, port: 8123 });
});
