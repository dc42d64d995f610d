import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { keepLinkPrivate } from '#server/http/response/security-headers.ts';

const OURS = 'https://inbox.example';

/** Returns the response's headers, and the origin that Next gets. */
function keep(path: string, headers: Record<string, string> = {}) {
  const req = new IncomingMessage(new Socket());
  Object.assign(req.headers, headers);
  const res = new ServerResponse(req);
  keepLinkPrivate(req, res, { path, origin: OURS });
  return { sent: { ...res.getHeaders() }, origin: req.headers.origin };
}

test.each(['/address', '/invitation', '/reset-password', '/reset-password/', '/verify', '/rate/token'])(
  'the link to %s is in no cache and in no Referer',
  (path) => {
    expect(keep(path).sent).toEqual({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  },
);

test('other pages are unchanged', () => {
  const from = { origin: 'null', 'sec-fetch-site': 'same-origin' };
  expect(keep('/inbox', from)).toEqual({ sent: {}, origin: 'null' });
});

test.each(['/invitation', '/verify'])(
  'the form of %s counts as ours, although its browser hides the origin',
  (path) => {
    expect(keep(path, { origin: 'null', 'sec-fetch-site': 'same-origin' }).origin).toBe(OURS);
  },
);

test.each<[string, Record<string, string>]>([
  ['from another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['without a reported origin', { origin: 'null' }],
  ['that names another site', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
])('an attacker’s form %s is not accepted as ours', (_what, headers) => {
  expect(keep('/invitation', headers).origin).toBe(headers.origin);
});
