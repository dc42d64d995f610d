import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Api } from '#test/clients/api-client.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test } from '#test/fixtures/service-test.ts';

const HOST = PLATFORM.hooksHost;
const ofLength = (length: number, character = 'x') =>
  `https://${HOST}/${character.repeat(length - `https://${HOST}/`.length)}`;

describe('a target URL is stored as written', () => {
  test.for([
    ['as it is', `https://${HOST}/hooks/catch/1/abc/`],
    ['in uppercase', `HTTPS://${HOST.toUpperCase()}/Hook`],
    ['with query and fragment', `https://${HOST}/hook?a=1&b=%20#part`],
    ['without a path', `https://${HOST}`],
    ['with letters beyond ASCII', `https://${HOST}/grüße`],
    ['of 500 characters', ofLength(500)],
    ['of 500 code points', ofLength(500, '😀')],
  ] as const)('%s', async ([_what, url], { api }) => {
    expect(await subscribe(api, url)).toMatchObject({ status: 201, body: { target_url: url } });
  });

  test('except for surrounding white space', async ({ api }) => {
    const url = `https://${HOST}/hook`;
    expect(await subscribe(api, `\n ${url}\t`)).toMatchObject({ status: 201, body: { target_url: url } });
  });
});

describe('an attacker cannot have events sent elsewhere', () => {
  test.for([
    ['without TLS', `http://${HOST}/hook`],
    ['to another port', `https://${HOST}:8443/hook`],
    ['to an explicit default port', `https://${HOST}:443/hook`],
    ['with a user', `https://user@${HOST}/hook`],
    ['to another host', 'https://evil.test/hook'],
    ['to another host, naming ours as the user', `https://${HOST}@evil.test/hook`],
    ['to another host, naming ours as the user before a backslash', `https://evil.test\\@${HOST}/hook`],
    ['to a subdomain', `https://a.${HOST}/hook`],
    ['to a host with ours as prefix', `https://${HOST}.evil.test/hook`],
    ['to a host with ours as suffix', `https://evil${HOST}/hook`],
    ['to our host with a trailing dot', `https://${HOST}./hook`],
    ['to an IP address', 'https://127.0.0.1/hook'],
    ['to an IPv6 address', 'https://[::1]/hook'],
    ['to a look-alike host', 'https://hооks.platform.test/hook'],
    ['to an encoded host', `https://${HOST.replace('.', '%2e')}/hook`],
    ['with a tab in the host', `https://${HOST.replace('.', '.\t')}/hook`],
    ['with a line break in the path', `https://${HOST}/hook\r\nHost: evil.test`],
    ['with a space inside', `https://${HOST}/a b`],
    ['to a file', 'file:///etc/passwd'],
    ['to a script', 'javascript:alert(1)'],
    ['to a path', '/hook'],
  ] as const)('%s', async ([_what, url], { api }) => {
    const { status, body } = await subscribe(api, url);
    const message = `The hook address (target_url) must begin with https://${HOST}/, without a port or a user name.`;
    expect({ status, body }).toEqual({ status: 422, body: { message, errors: { target_url: [message] } } });
    expect(await db().hook.count({ where: { targetUrl: url } })).toBe(0);
  });
});

test.for(['x', '😀'])('a target URL of 501 characters is too long: %s', async (character, { api }) => {
  const { status, body } = await subscribe(api, ofLength(501, character));
  const message = 'The hook address (target_url) must be at most 500 characters.';
  expect({ status, body }).toEqual({ status: 422, body: { message, errors: { target_url: [message] } } });
});

const subscribe = (api: Api, target_url: unknown) =>
  api('POST', '/hooks', { event: 'contact.created', target_url });
