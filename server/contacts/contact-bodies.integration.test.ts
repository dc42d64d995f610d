import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let workspaceId: string;
let authorization: string;
let calls: { method: string; path: string; success: number }[];
beforeAll(async () => {
  const connection = await makeConnection();
  workspaceId = connection.workspaceId;
  authorization = `Bearer ${connection.accessToken}`;
  const { id } = await db().contact.create({ data: { workspaceId, firstName: 'Known' } });
  calls = [
    { method: 'POST', path: '/contacts', success: 201 },
    { method: 'PATCH', path: `/contacts/${id}`, success: 200 },
  ];
});

const names = () => db().contact.findMany({ where: { workspaceId }, select: { firstName: true } });
const send = (
  { method, path }: { method: string; path: string },
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => rawRequest(service.url, { method, path: API_PATH + path, headers: { authorization, ...headers }, body });

describe('a body that is not a JSON object answers 422 under body, and nothing is written', () => {
  const NOT_JSON = 'The body must be valid JSON in UTF-8.';
  const NOT_AN_OBJECT = 'The body must be a JSON object.';
  test.each([
    ['truncated JSON', '{"name":"Eve"', NOT_JSON],
    ['a form', 'name=Eve', NOT_JSON],
    ['bytes that are not UTF-8', Buffer.from('{"name":"Ev\u00eb"}', 'latin1'), NOT_JSON],
    ['an invalid escape', '{"name":"\\x45ve"}', NOT_JSON],
    ['an array', '[{"name":"Eve"}]', NOT_AN_OBJECT],
    ['a text', '"Eve"', NOT_AN_OBJECT],
    ['null', 'null', NOT_AN_OBJECT],
    ['a number', '7', NOT_AN_OBJECT],
  ])('%s', async (_what, body, message) => {
    const before = await names();
    for (const call of calls) {
      const response = await send(call, body);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ message, errors: { body: [message] } });
    }
    expect(await names()).toEqual(before);
  });
});

describe('a body is parsed as JSON in UTF-8', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
    undefined,
  ])('with the content type %s', async (type) => {
    for (const call of calls) {
      const body = JSON.stringify({ name: 'Zoë 😀' });
      const response = await send(call, body, type === undefined ? {} : { 'content-type': type });
      expect(response).toMatchObject({ status: call.success, body: { name: 'Zoë 😀', last_name: '😀' } });
      expect(response.headers['content-type']).toMatch(/^application\/json/);
    }
  });

  test('with any Accept header', async () => {
    for (const call of calls) {
      const response = await send(call, '{"name":"Ada"}', { accept: 'text/html', 'accept-language': 'de' });
      expect(response).toMatchObject({ status: call.success, body: { name: 'Ada' } });
      expect(response.headers['content-type']).toMatch(/^application\/json/);
    }
  });
});

test('unknown keys are ignored, also dangerous ones and those of the record', async () => {
  const body =
    '{"name":"Ada","workspace_id":"x","workspaceId":"x","created_at":0,"company":{"id":"x"},"company_id":"x",' +
    '"first_name":"Eve","is_test":true,"url":7,"__proto__":{"email":"no"},"constructor":1,"toString":null}';
  for (const call of calls) {
    const { status, body: contact } = await send(call, body);
    expect(status).toBe(call.success);
    expect(contact).toMatchObject({ name: 'Ada', first_name: 'Ada', email: null, company: null });
    expect(Object.keys(contact as object)).toHaveLength(11);
  }
  expect(await db().contact.count({ where: { isTest: true } })).toBe(0);
});

test('query parameters are not body fields', async () => {
  for (const call of calls) {
    const { body } = await send({ ...call, path: `${call.path}?city=Paris&name=` }, '{"name":"Ada"}');
    expect(body).toMatchObject({ name: 'Ada', city: null });
  }
});

test('the last of a duplicate JSON key counts', async () => {
  for (const call of calls) {
    expect((await send(call, '{"name":7,"name":"Ada"}')).body).toMatchObject({ name: 'Ada' });
  }
});
