import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let accessToken: string;
let foreign: { id: string; workspaceId: string };
let ownId: string;
beforeAll(async () => {
  const connection = await makeConnection();
  accessToken = connection.accessToken;
  const abroad = await makeConnection({ teammate: connection.teammate });
  foreign = await db().contact.create({ data: { workspaceId: abroad.workspaceId, firstName: 'Abroad' } });
  const own = { workspaceId: connection.workspaceId, email: 'taken@example.com' };
  ownId = (await db().contact.create({ data: own })).id;
});

const BODIES = {
  'a good value': { name: 'Eve' },
  'nothing sent': {},
  'an address that is taken': { email: 'taken@example.com' },
  'a value that is too long': { name: 'x'.repeat(161) },
  'values of wrong types': { name: 7, email: [], phone: {} },
  'an invalid address': { email: 'no' },
};

const IDS = {
  'of no one': () => randomUUID(),
  'of another workspace of the same teammate': () => foreign.id,
  'that is no UUID': () => 'ada',
  'that is a number': () => '7',
  'with a character too many': () => `${ownId}0`,
  'with SQL in it': () => encodeURIComponent(`${ownId}' or '1'='1`),
  'with a slash in it': () => `${ownId}%2F`,
  'in braces': () => `%7B${ownId}%7D`,
  'without dashes': () => ownId.replaceAll('-', ''),
  'with U+0000 in it': () => '%00',
  'of blanks': () => '%20%09',
};

test.each(Object.entries(IDS))('an id %s answers 404, whatever the body', async (_what, id) => {
  const before = await db().contact.findMany({ orderBy: { id: 'asc' } });
  const api = apiClient(service.url, accessToken);
  for (const [what, body] of Object.entries(BODIES)) {
    const response = await api('PATCH', `/contacts/${id()}`, body);
    expect({ status: response.status, body: response.body }, what).toEqual({
      status: 404,
      body: { message: 'The contact was not found.' },
    });
  }
  expect(await db().contact.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
});

test('a body that is not JSON is reported before the id', async () => {
  const api = apiClient(service.url, accessToken);
  for (const body of ['{"name":', '[]', 'null']) {
    expect((await api('PATCH', `/contacts/${randomUUID()}`, body)).status).toBe(422);
  }
});

test.each([
  '/contacts/%',
  '/contacts/%zz',
  '/contacts/%ff',
  '/contacts/%ed%a0%80',
  '/contacts/',
  '/contacts/..',
])('the path %s is undecodable or unknown: 404', async (path) => {
  const { status, body } = await rawRequest(service.url, {
    method: 'PATCH',
    path: API_PATH + path,
    headers: { authorization: `Bearer ${accessToken}` },
    body: '{"name":"Eve"}',
  });
  expect(status).toBe(404);
  expect(body).toEqual({ message: 'There is nothing at this address.' });
});

test.each([
  ['GET', () => `/contacts/${ownId}`, 'PATCH'],
  ['DELETE', () => `/contacts/${ownId}`, 'PATCH'],
  ['GET', () => '/contacts', 'POST'],
  ['PATCH', () => '/contacts', 'POST'],
  ['PATCH', () => '/contacts/search', 'GET'],
  ['POST', () => '/contacts/search', 'GET'],
])('%s on a path of another method answers 405 and names that method', async (method, path, allow) => {
  const { status, headers, body } = await apiClient(service.url, accessToken)(method, path());
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe(allow === 'GET' ? 'GET, HEAD' : allow);
  expect(body).toEqual({ message: `This address answers ${allow} only.` });
});
