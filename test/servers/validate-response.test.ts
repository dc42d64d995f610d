import { describe, expect, test } from 'vitest';
import { exampleConnection, exampleHook } from '#server/contract/record-examples.ts';
import { rulesOf } from '#test/servers/response-rules.ts';
import { type SentResponse, validateResponse } from '#test/servers/validate-response.ts';

const rules = rulesOf('openapi.json');
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': '5f0c7a52-3c0e-4a57-9f3d-6b8f2f7a9e10',
  'x-ratelimit-limit': 300,
  'x-ratelimit-remaining': '299',
};
const me: SentResponse = {
  method: 'GET',
  path: '/me',
  status: 200,
  headers,
  body: JSON.stringify(exampleConnection),
};
const message = { message: 'The connection has expired, reconnect.' };

describe('a response that follows the contract', () => {
  test.each<[string, Parameters<typeof problemsOf>[0]]>([
    ['to a call', {}],
    ['to a path with other encoding', { path: '/%6de' }],
    [
      'with a record in its path',
      {
        method: 'DELETE',
        path: '/hooks/01a4',
        json: { id: '01a4', deleted: true },
      },
    ],
    ['to a creation', { method: 'POST', path: '/hooks', status: 201, json: exampleHook }],
    [
      'that is an error',
      {
        status: 401,
        json: message,
        headers: { ...headers, 'www-authenticate': 'Bearer error="invalid_token"' },
      },
    ],
    ['to an unknown path', { path: '/nothing', status: 404, json: message }],
    ['to an undecodable path', { path: '/hooks/%', status: 404, json: message }],
    ['to dots instead of a record', { path: '/hooks/..', status: 404, json: message }],
    [
      'to a wrong method',
      { method: 'PUT', status: 405, json: message, headers: { ...headers, allow: 'GET, HEAD' } },
    ],
    ['to HEAD, which has no body', { method: 'HEAD', body: '' }],
  ])('%s passes', (_name, change) => {
    expect(problemsOf(change)).toBe('');
  });
});

describe('a response that breaks the contract', () => {
  test.each<[string, Parameters<typeof problemsOf>[0], string]>([
    ['an additional key', { json: { ...exampleConnection, plan: 'growth' } }, 'plan'],
    [
      'an additional key in a record of a list',
      { path: '/teams', json: [{ id: exampleConnection.id, name: 'Sales', size: 3 }] },
      'size',
    ],
    ['a missing key', { json: { ...exampleConnection, email: undefined } }, "required property 'email'"],
    ['a wrong type', { json: { ...exampleConnection, email: null } }, '/email must be string'],
    ['an invalid id', { json: { ...exampleConnection, id: '7' } }, '/id must match format "uuid"'],
    [
      'a timestamp that ends in Z',
      {
        method: 'POST',
        path: '/hooks',
        status: 201,
        json: { ...exampleHook, created_at: '2026-11-21T06:29:29.123Z' },
      },
      '/created_at must match pattern',
    ],
    [
      'an unknown event',
      {
        method: 'POST',
        path: '/hooks',
        status: 201,
        json: { ...exampleHook, event: 'conversation.deleted' },
      },
      '/event must be equal to one of the allowed values',
    ],
    ['a status that is not documented', { status: 418, json: message }, 'the status 418 is not documented'],
    [
      'a creation with status 200',
      { method: 'POST', path: '/hooks', json: exampleHook },
      'the status 200 is not',
    ],
    ['no X-Request-Id', { headers: without('x-request-id') }, 'the header X-Request-Id is missing'],
    [
      'no X-RateLimit-Remaining',
      { headers: without('x-ratelimit-remaining') },
      'X-RateLimit-Remaining is missing',
    ],
    [
      'a limit that is not a number',
      { headers: { ...headers, 'x-ratelimit-limit': 'many' } },
      'must be integer',
    ],
    [
      '401 without WWW-Authenticate',
      { status: 401, json: message },
      'the header WWW-Authenticate is missing',
    ],
    ['429 without Retry-After', { status: 429, json: message }, 'the header Retry-After is missing'],
    ['a body that is not JSON', { body: 'Internal Server Error' }, 'the body is not JSON'],
    ['a page of HTML', { headers: { ...headers, 'content-type': 'text/html' } }, 'the body is text/html'],
    ['a code in an error', { status: 403, json: { ...message, code: 'FORBIDDEN' } }, 'code'],
    [
      'a stack at an unknown path',
      { path: '/nothing', status: 404, json: { ...message, stack: 'at' } },
      'stack',
    ],
    ['200 at an unknown path', { path: '/nothing' }, '200 for an unknown path'],
    ['200 for a wrong method', { method: 'PUT' }, '200 for an undefined method'],
    ['405 without Allow', { method: 'PUT', status: 405, json: message }, 'the header Allow is'],
    [
      'invalid values without errors',
      { method: 'POST', path: '/hooks', status: 422, json: message },
      "required property 'errors'",
    ],
  ])('with %s is caught', (_name, change, problem) => {
    expect(problemsOf(change)).toContain(problem);
  });
});

function problemsOf(change: Partial<SentResponse> & { json?: unknown }): string {
  const { json, ...rest } = change;
  return validateResponse(rules, {
    ...me,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...rest,
  }).join('\n');
}

function without(name: keyof typeof headers | 'www-authenticate' | 'retry-after'): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));
}
