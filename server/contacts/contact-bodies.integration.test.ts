import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('calls', ({ service, connection }) => makeCalls(service.url, connection));

describe('a body that is not a JSON object returns 422 under body, and nothing is written', () => {
  const NOT_JSON = 'The body must be valid JSON in UTF-8.';
  const NOT_AN_OBJECT = 'The body must be a JSON object.';
  test.for<[string, string | Buffer, string]>([
    ['truncated JSON', '{"name":"Eve"', NOT_JSON],
    ['a form', 'name=Eve', NOT_JSON],
    ['bytes that are not UTF-8', Buffer.from('{"name":"Ev\u00eb"}', 'latin1'), NOT_JSON],
    ['an invalid escape', '{"name":"\\x45ve"}', NOT_JSON],
    ['an array', '[{"name":"Eve"}]', NOT_AN_OBJECT],
    ['a text', '"Eve"', NOT_AN_OBJECT],
    ['null', 'null', NOT_AN_OBJECT],
    ['a number', '7', NOT_AN_OBJECT],
  ])('%s', async ([_what, body, message], { connection, calls }) => {
    const before = await names(connection);
    for (const { send } of calls) {
      const response = await send(body);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ message, errors: { body: [message] } });
    }
    expect(await names(connection)).toEqual(before);
  });
});

describe('a body is parsed as JSON in UTF-8', () => {
  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
    undefined,
  ])('with the content type %s', async (type, { calls }) => {
    for (const { send, success } of calls) {
      const body = JSON.stringify({ name: 'Zoë 😀' });
      const response = await send(body, type === undefined ? {} : { 'content-type': type });
      expect(response).toMatchObject({ status: success, body: { name: 'Zoë 😀', last_name: '😀' } });
      expect(response.headers['content-type']).toMatch(/^application\/json/);
    }
  });

  test('with any Accept header', async ({ calls }) => {
    for (const { send, success } of calls) {
      const response = await send('{"name":"Ada"}', { accept: 'text/html', 'accept-language': 'de' });
      expect(response).toMatchObject({ status: success, body: { name: 'Ada' } });
      expect(response.headers['content-type']).toMatch(/^application\/json/);
    }
  });
});

test('unknown keys are ignored, also dangerous ones and those of the record', async ({ calls }) => {
  const body =
    '{"name":"Ada","workspace_id":"x","workspaceId":"x","created_at":0,"company":{"id":"x"},"company_id":"x",' +
    '"first_name":"Eve","is_test":true,"url":7,"__proto__":{"email":"no"},"constructor":1,"toString":null}';
  for (const { send, success } of calls) {
    const { status, body: contact } = await send(body);
    expect(status).toBe(success);
    expect(contact).toMatchObject({ name: 'Ada', first_name: 'Ada', email: null, company: null });
    expect(Object.keys(contact as object)).toHaveLength(11);
  }
  expect(await db().contact.count({ where: { isTest: true } })).toBe(0);
});

test('query parameters are not body fields', async ({ calls }) => {
  for (const { send } of calls) {
    const { body } = await send('{"name":"Ada"}', JSON_TYPE, '?city=Paris&name=');
    expect(body).toMatchObject({ name: 'Ada', city: null });
  }
});

test('the last of a duplicate JSON key counts', async ({ calls }) => {
  for (const { send } of calls) {
    expect((await send('{"name":7,"name":"Ada"}')).body).toMatchObject({ name: 'Ada' });
  }
});

const JSON_TYPE = { 'content-type': 'application/json' };

const names = ({ workspaceId }: { workspaceId: string }) =>
  db().contact.findMany({ where: { workspaceId }, select: { firstName: true } });

/** Creates a contact, and the two calls that accept a body: to create a contact and to update this one. */
async function makeCalls(
  url: string,
  { workspaceId, accessToken }: { workspaceId: string; accessToken: string },
) {
  const authorization = `Bearer ${accessToken}`;
  const { id } = await db().contact.create({ data: { workspaceId, firstName: 'Known' } });
  return [
    { method: 'POST', path: '/contacts', success: 201 },
    { method: 'PATCH', path: `/contacts/${id}`, success: 200 },
  ].map(({ method, path, success }) => ({
    success,
    send: (body: string | Buffer, headers: Record<string, string> = JSON_TYPE, query = '') =>
      rawRequest(url, {
        method,
        path: API_PATH + path + query,
        headers: { authorization, ...headers },
        body,
      }),
  }));
}
