import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { keepLinkPrivate } from '#server/http/response/security-headers.ts';

const OURS = 'https://inbox.example';

/** The headers of the response, and the origin that Next is given. */
function keep(path: string, headers: Record<string, string> = {}) {
  const req = new IncomingMessage(new Socket());
  Object.assign(req.headers, headers);
  const res = new ServerResponse(req);
  keepLinkPrivate(req, res, { path, origin: OURS });
  return { sent: { ...res.getHeaders() }, origin: req.headers.origin };
}

test.each(['/invitation', '/reset-password', '/reset-password/'])(
  'the address of %s stays in no cache and leaves in no Referer',
  (path) => {
    expect(keep(path).sent).toEqual({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  },
);

test('other pages are left as they are', () => {
  const from = { origin: 'null', 'sec-fetch-site': 'same-origin' };
  expect(keep('/inbox', from)).toEqual({ sent: {}, origin: 'null' });
});

test('a form of such a page is taken as our own, although its browser hides where it comes from', () => {
  expect(keep('/invitation', { origin: 'null', 'sec-fetch-site': 'same-origin' }).origin).toBe(OURS);
});

test.each<[string, Record<string, string>]>([
  ['from another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['that does not say where it comes from', { origin: 'null' }],
  ['that names another site', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
])('an attacker’s form %s stays a stranger’s', (_what, headers) => {
  expect(keep('/invitation', headers).origin).toBe(headers.origin);
});
