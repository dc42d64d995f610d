import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('known', { scope: 'file' }, ({ service }) => makeKnown(service.url));

test.for(Object.entries(ids()))('an id %s returns 404 with any body', async ([_what, id], { known }) => {
  const before = await db().contact.findMany({ orderBy: { id: 'asc' } });
  for (const [what, body] of Object.entries(BODIES)) {
    const response = await known.api('PATCH', `/contacts/${id(known)}`, body);
    expect({ status: response.status, body: response.body }, what).toEqual({
      status: 404,
      body: { message: 'The contact was not found.' },
    });
  }
  expect(await db().contact.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
});

test('a body that is not JSON is reported before the id', async ({ known }) => {
  for (const body of ['{"name":', '[]', 'null']) {
    expect((await known.api('PATCH', `/contacts/${randomUUID()}`, body)).status).toBe(422);
  }
});

test.for([
  '/contacts/%',
  '/contacts/%zz',
  '/contacts/%ff',
  '/contacts/%ed%a0%80',
  '/contacts/',
  '/contacts/..',
])('the path %s is undecodable or unknown: 404', async (path, { known }) => {
  const { status, body } = await rawRequest(known.url, {
    method: 'PATCH',
    path: API_PATH + path,
    headers: { authorization: `Bearer ${known.accessToken}` },
    body: '{"name":"Eve"}',
  });
  expect(status).toBe(404);
  expect(body).toEqual({ message: 'There is nothing at this address.' });
});

test.for<[string, (known: Known) => string, string]>([
  ['GET', (known) => `/contacts/${known.ownId}`, 'PATCH'],
  ['DELETE', (known) => `/contacts/${known.ownId}`, 'PATCH'],
  ['GET', () => '/contacts', 'POST'],
  ['PATCH', () => '/contacts', 'POST'],
  ['PATCH', () => '/contacts/search', 'GET'],
  ['POST', () => '/contacts/search', 'GET'],
])(
  '%s on a path of another method returns 405 and names that method',
  async ([method, path, allow], { known }) => {
    const { status, headers, body } = await known.api(method, path(known));
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe(allow === 'GET' ? 'GET, HEAD' : allow);
    expect(body).toEqual({ message: `This address supports ${allow} only.` });
  },
);

const BODIES = {
  'a good value': { name: 'Eve' },
  'nothing sent': {},
  'an address that is taken': { email: 'taken@example.com' },
  'a value that is too long': { name: 'x'.repeat(161) },
  'values of wrong types': { name: 7, email: [], phone: {} },
  'an invalid address': { email: 'no' },
};

function ids(): Record<string, (known: Known) => string> {
  return {
    'of no one': () => randomUUID(),
    'of another workspace of the same teammate': (known) => known.foreignId,
    'that is not a UUID': () => 'ada',
    'that is a number': () => '7',
    'with a character too many': (known) => `${known.ownId}0`,
    'with SQL in it': (known) => encodeURIComponent(`${known.ownId}' or '1'='1`),
    'with a slash in it': (known) => `${known.ownId}%2F`,
    'in braces': (known) => `%7B${known.ownId}%7D`,
    'without dashes': (known) => known.ownId.replaceAll('-', ''),
    'with U+0000 in it': () => '%00',
    'of blanks': () => '%20%09',
  };
}

type Known = Awaited<ReturnType<typeof makeKnown>>;

/** Creates a connection with a contact, and a contact in another workspace of the same teammate. */
async function makeKnown(url: string) {
  const { accessToken, workspaceId, teammate } = await makeConnection();
  const abroad = await makeConnection({ teammate });
  const foreign = await db().contact.create({
    data: { workspaceId: abroad.workspaceId, firstName: 'Abroad' },
  });
  const own = await db().contact.create({ data: { workspaceId, email: 'taken@example.com' } });
  return { url, accessToken, api: apiClient(url, accessToken), foreignId: foreign.id, ownId: own.id };
}
