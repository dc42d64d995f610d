import { Agent } from 'node:http';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const NOT_JSON = 'The body must be valid JSON in UTF-8.';
const NOT_AN_OBJECT = 'The body must be a JSON object.';

const test = serviceTest.extend('post', ({ service, connection }) => poster(service.url, connection));

const hook = { event: 'contact.created', target_url: `https://${PLATFORM.hooksHost}/hook` };

describe('a body that is not a JSON object returns 422 under body', () => {
  test.for([
    ['broken off', '{"event":', NOT_JSON],
    ['no JSON', 'event=contact.created', NOT_JSON],
    ['blank', '  ', NOT_JSON],
    ['two objects', '{}{}', NOT_JSON],
    ['an object with a comment', '{/* hi */}', NOT_JSON],
    ['an object with a comma too many', '{"event":"contact.created",}', NOT_JSON],
    ['a number that is none', '{"event":NaN}', NOT_JSON],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), NOT_JSON],
    ['truncated UTF-8', Buffer.from('{"event":"ü"}').subarray(0, 11), NOT_JSON],
    ['UTF-16', Buffer.from('{}', 'utf16le'), NOT_JSON],
    ['U+0000 inside', Buffer.from('{"event":"\0"}'), NOT_JSON],
    ['an array', '[]', NOT_AN_OBJECT],
    ['an array of the right object', JSON.stringify([hook]), NOT_AN_OBJECT],
    ['a number', '7', NOT_AN_OBJECT],
    ['a text', '"{}"', NOT_AN_OBJECT],
    ['true', 'true', NOT_AN_OBJECT],
    ['null', 'null', NOT_AN_OBJECT],
  ] as const)('%s', async ([_what, body, message], { post }) => {
    for (const path of ['/hooks', '/conversations']) {
      const response = await post(body, 'application/json', path);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ message, errors: { body: [message] } });
    }
  });

  test.for(['', '{}'])(
    'but %j counts as an object without fields: each required field is reported',
    async (body, { post }) => {
      const response = await post(body, 'application/json', '/conversations');
      expect(response.status).toBe(422);
      expect(response.body).toEqual({
        message: 'The recipient’s email address (to_email) is required.',
        errors: {
          to_email: ['The recipient’s email address (to_email) is required.'],
          subject: ['The subject is required.'],
          content: ['The content is required.'],
        },
      });
    },
  );
});

describe('a body is parsed as JSON', () => {
  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'application/vnd.api+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    undefined,
  ])('with the content type %s', async (type, { post }) => {
    const response = await post(JSON.stringify(hook), type);
    expect(response).toMatchObject({ status: 201, body: hook });
  });

  test('with a byte order mark, unknown and dangerous keys, deep nesting and repeated keys', async ({
    post,
  }) => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const json = JSON.stringify(hook).slice(1, -1);
    const body = `\ufeff{"event":"nonsense",${json},"id":1,"__proto__":{"event":"x"},"constructor":{},"deep":${deep}}`;
    const response = await post(body, 'application/json');
    expect(response).toMatchObject({ status: 201, body: hook });
    expect(Object.hasOwn(Object.prototype, 'event')).toBe(false);
  });
});

describe('a body over 1 MB is refused with 413', () => {
  const message = 'The body must be at most 1 MB.';

  test('but a body of exactly 1 MB is accepted', async ({ post }) => {
    expect((await post(hookOfBytes(MEGABYTE))).status).toBe(201);
    expect((await post([Buffer.from(hookOfBytes(MEGABYTE))])).status).toBe(201);
  });

  test('with or without a Content-Length', async ({ post }) => {
    const body = Buffer.from(hookOfBytes(MEGABYTE + 1));
    const before = await db().hook.count();
    for (const response of [await post(body), await post([body.subarray(0, 9), body.subarray(9)])]) {
      expect({ status: response.status, body: response.body }).toEqual({ status: 413, body: { message } });
    }
    expect(await db().hook.count()).toBe(before);
  });

  test('and a client that writes all of a much larger body gets the response and can reuse the connection', async ({
    post,
  }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const piece = Buffer.alloc(MEGABYTE, ' ');
    const pieces = Array.from({ length: 16 }, () => piece);
    for (const body of [pieces, Buffer.concat(pieces), pieces]) {
      const response = await post(body, 'application/json', '/hooks', agent);
      expect(response).toMatchObject({
        status: 413,
        body: { message },
        headers: { connection: 'keep-alive' },
      });
    }
    expect((await post(JSON.stringify(hook), 'application/json', '/hooks', agent)).status).toBe(201);
    agent.destroy();
  });

  test('and a body that is cut off has no effect', async ({ service, connection, post }) => {
    const before = await db().hook.count();
    const aborted = new AbortController();
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.from(JSON.stringify(hook))),
      pull: () => aborted.abort(),
    });
    const headers = { authorization: `Bearer ${connection.accessToken}` };
    const init = { method: 'POST', headers, body, duplex: 'half' as const };
    await expect(
      fetch(`${service.url}${API_PATH}/hooks`, { ...init, signal: aborted.signal }),
    ).rejects.toThrow();
    expect((await post('{}')).status).toBe(422);
    expect(await db().hook.count()).toBe(before);
  });
});

const MEGABYTE = 1_000_000;

/** Returns a function that posts a body as a connection. */
function poster(url: string, { accessToken }: { accessToken: string }) {
  return (body: string | Buffer | Buffer[], type?: string, path = '/hooks', agent = new Agent()) =>
    rawRequest(url, {
      agent,
      method: 'POST',
      path: API_PATH + path,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      body,
    });
}

/** Returns a subscription whose body has the given number of bytes. */
function hookOfBytes(bytes: number): string {
  const json = JSON.stringify({ ...hook, padding: '' });
  return json.replace('""', `"${'x'.repeat(bytes - json.length)}"`);
}
