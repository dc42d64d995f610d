import { describe, expect } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import type { Connection } from '#test/fixtures/factories.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend(
  'call',
  ({ service, connection }) =>
    (method: string, path: string, headers = bearer(connection)) =>
      rawRequest(service.url, { method, path: `${API_PATH}/triggers/${path}`, headers }),
);

describe('an unknown event returns 404, even with invalid filters', () => {
  test.for([
    'conversation',
    'conversation.Created',
    'conversation.created.',
    'conversation.created%00',
    'conversation.created%20',
    '%20conversation.created',
    'conversation.created%2Fsamples',
    'conversation_created',
    'conversation.deleted',
    'message.sent',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    '%5F%5Fproto%5F%5F',
    'undefined',
    '*',
    '%F0%9F%98%80',
    'x'.repeat(8_000),
  ])('%s', async (key, { call }) => {
    for (const query of [
      '',
      '?status=nonsense&command=%00',
      `?tag=${'x'.repeat(41)}&event=contact.created`,
    ]) {
      const { status, body } = await call('GET', `${key}/samples${query}`);
      expect({ status, body }).toEqual({ status: 404, body: { message: 'The event was not found.' } });
    }
  });
});

describe('an unknown path', () => {
  test.for([
    'conversation.created',
    'samples',
    '/samples',
    'conversation.created/samples/',
    'conversation.created/samples/1',
    'conversation.created/Samples',
    'conversation.created/../samples',
    '%zz/samples',
    '../samples',
  ])('%s returns 404', async (path, { call }) => {
    const { status, body } = await call('GET', path);
    expect({ status, body }).toEqual({ status: 404, body: { message: 'There is nothing at this address.' } });
  });
});

test.for([
  'conversation%2Ecreated',
  'conversation%2ecreated',
  '%63onversation.created',
  'conversation.created',
])('the key may be written as %s', async (key, { connection, call }) => {
  const id = await makeOccurrence('conversation.created', connection, { at: new Date() });
  for (const query of ['', '?', '?event=contact.created']) {
    const response = await call('GET', `${key}/samples${query}`);
    expect(response).toMatchObject({ status: 200, body: [{ id: `conversation.created:${id}` }] });
  }
});

test.for(['POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s returns 405 with the allowed methods',
  async (method, { call }) => {
    for (const key of ['conversation.created', 'nonsense']) {
      const { status, headers } = await call(method, `${key}/samples`);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' });
    }
  },
);

test('without a token, known and unknown keys return the same 401', async ({ call }) => {
  const [known, unknown] = [
    await call('GET', 'conversation.created/samples', {}),
    await call('GET', 'nonsense/samples', {}),
  ];
  expect(known.status).toBe(401);
  expect(unknown).toMatchObject({ status: 401, body: known.body });
});

function bearer({ accessToken }: Connection): Record<string, string> {
  return { authorization: `Bearer ${accessToken}` };
}
