import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddress } from '#server/http/request/client-address.ts';

const PROXY = '10.0.0.1';

function requestFrom(forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: PROXY });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

test.each([
  ['no proxy is trusted, whatever the header contains', 0, '1.1.1.1', PROXY],
  ['one proxy is trusted and reports one client', 1, '1.1.1.1', '1.1.1.1'],
  [
    'one proxy is trusted, and the client forged further addresses',
    1,
    '9.9.9.9, 8.8.8.8, 1.1.1.1',
    '1.1.1.1',
  ],
  ['two proxies are trusted', 2, '9.9.9.9, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
  ['more proxies are trusted than the header lists', 3, '1.1.1.1, 10.0.0.2', PROXY],
  ['one proxy is trusted and sends no header', 1, undefined, PROXY],
  ['one proxy is trusted and sends blanks', 1, ' , ', PROXY],
  ['the proxy adds the port of the client', 1, '1.1.1.1:50123', '1.1.1.1'],
  ['the proxy adds brackets and a port', 1, '[2001:db8::7]:50123', '2001:db8::7'],
  ['the client has an IPv6 address', 1, '2001:db8::7', '2001:db8::7'],
])('the client address is right when %s', (_when, trusted, forwarded, address) => {
  expect(clientAddress(requestFrom(forwarded), trusted)).toBe(address);
});
