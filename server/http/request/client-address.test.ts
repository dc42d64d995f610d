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
  ['no proxy is trusted, whatever the header says', 0, '1.1.1.1', PROXY],
  ['one is trusted and named one client', 1, '1.1.1.1', '1.1.1.1'],
  ['one is trusted, and the client named others before itself', 1, '9.9.9.9, 8.8.8.8, 1.1.1.1', '1.1.1.1'],
  ['two are trusted', 2, '9.9.9.9, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
  ['more are trusted than there were', 3, '1.1.1.1, 10.0.0.2', PROXY],
  ['one is trusted and says nothing', 1, undefined, PROXY],
  ['one is trusted and says blanks', 1, ' , ', PROXY],
])('when %s', (_when, trusted, forwarded, address) => {
  expect(clientAddress(requestFrom(forwarded), trusted)).toBe(address);
});
