import { describe, expect } from 'vitest';
import { EVENT_KEYS, EVENTS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Api } from '#test/clients/api-client.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test } from '#test/fixtures/service-test.ts';

const HOST = PLATFORM.hooksHost;
const ofLength = (length: number, character = 'x') =>
  `https://${HOST}/${character.repeat(length - `https://${HOST}/`.length)}`;

test('a subscription returns 201 with exactly the hook record, and the hook is live', async ({
  api,
  connection,
}) => {
  const { status, body } = await subscribe(api, { event: 'conversation.created' });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    event: 'conversation.created',
    target_url: TARGET,
    command: null,
    status: null,
    tag: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
  });
  const hook = await db().hook.findUniqueOrThrow({ where: { id: (body as { id: string }).id } });
  expect(hook).toMatchObject({
    workspaceId: connection.workspaceId,
    connectionId: connection.id,
    removedAt: null,
    filterKey: null,
  });
});

test('the same subscription twice creates two hooks', async ({ api }) => {
  const first = await subscribe(api, { event: 'contact.created' });
  const second = await subscribe(api, { event: 'contact.created' });
  expect((first.body as { id: string }).id).not.toBe((second.body as { id: string }).id);
});

describe('filters', () => {
  test.for(EVENT_KEYS)(
    'that do not belong to %s are ignored, whatever their type, and returned as null',
    async (event, { api }) => {
      for (const wrong of [7, false, ['x'], { a: 1 }, 'x'.repeat(999), 'not / valid', '\0']) {
        const own = EVENTS[event].filter;
        const body = { event, status: wrong, tag: wrong, command: wrong, ...(own ? { [own]: null } : {}) };
        const response = await subscribe(api, body);
        expect({ status: response.status, filters: filters(response) }).toEqual({
          status: 201,
          filters: { status: null, tag: null, command: null },
        });
      }
    },
  );

  test.for([
    ['conversation.status_changed', 'status', 'solved', 'solved', 'solved'],
    ['conversation.status_changed', 'status', ' open ', 'open', 'open'],
    ['conversation.tagged', 'tag', ' VIP Kunde ', 'VIP Kunde', 'vip kunde'],
    ['conversation.tagged', 'tag', '😀'.repeat(40), '😀'.repeat(40), '😀'.repeat(40)],
    ['operator.command', 'command', '/Refund_Now', 'refund_now', 'refund_now'],
    ['operator.command', 'command', `/${'X'.repeat(48)}`, 'x'.repeat(48), 'x'.repeat(48)],
    ['operator.command', 'command', '/', null, null],
    ['operator.command', 'command', '  ', null, null],
  ] as const)(
    '%s: %s %j is stored as %j and compared as %j',
    async ([event, field, input, shown, compared], { api }) => {
      const response = await subscribe(api, { event, [field]: input });
      expect(response.status).toBe(201);
      expect(filters(response)).toEqual({ status: null, tag: null, command: null, [field]: shown });
      const { id } = response.body as { id: string };
      expect((await db().hook.findUniqueOrThrow({ where: { id } })).filterKey).toBe(compared);
    },
  );

  const noStatus = 'The status must be one of open, pending, solved, closed.';
  const noCommand =
    'The command must start with a letter or digit, contain only letters, digits, - and _, and be at most 48 characters.';
  test.for([
    { event: 'conversation.status_changed', field: 'status', value: 'Open', message: noStatus },
    { event: 'conversation.status_changed', field: 'status', value: 'spam', message: noStatus },
    { event: 'conversation.status_changed', field: 'status', value: 1, message: 'The status must be text.' },
    {
      event: 'conversation.tagged',
      field: 'tag',
      value: 'x'.repeat(41),
      message: 'The tag must be at most 40 characters.',
    },
    { event: 'conversation.tagged', field: 'tag', value: ['vip'], message: 'The tag must be text.' },
    { event: 'operator.command', field: 'command', value: 're fund', message: noCommand },
    { event: 'operator.command', field: 'command', value: '-refund', message: noCommand },
    { event: 'operator.command', field: 'command', value: 'x'.repeat(49), message: noCommand },
    { event: 'operator.command', field: 'command', value: true, message: 'The command must be text.' },
  ])('$event refuses the $field $value', async ({ event, field, value, message }, { api }) => {
    const { status, body } = await subscribe(api, { event, [field]: value });
    expect({ status, body }).toEqual({ status: 422, body: { message, errors: { [field]: [message] } } });
  });
});

test.for(['conversation.Created', 'conversation', 'toString', '__proto__', 'x'.repeat(60)])(
  'the event %j is unknown',
  async (event, { api }) => {
    const { status, body } = await subscribe(api, { event });
    const message = `The event must be one of ${EVENT_KEYS.join(', ')}.`;
    expect({ status, body }).toEqual({ status: 422, body: { message, errors: { event: [message] } } });
  },
);

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
    expect(await subscribeTo(api, url)).toMatchObject({ status: 201, body: { target_url: url } });
  });

  test('except for surrounding white space', async ({ api }) => {
    const url = `https://${HOST}/hook`;
    expect(await subscribeTo(api, `\n ${url}\t`)).toMatchObject({ status: 201, body: { target_url: url } });
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
    const { status, body } = await subscribeTo(api, url);
    const message = `The hook address (target_url) must begin with https://${HOST}/, without a port or a user name.`;
    expect({ status, body }).toEqual({ status: 422, body: { message, errors: { target_url: [message] } } });
    expect(await db().hook.count({ where: { targetUrl: url } })).toBe(0);
  });
});

test.for(['x', '😀'])('a target URL of 501 characters is too long: %s', async (character, { api }) => {
  const { status, body } = await subscribeTo(api, ofLength(501, character));
  const message = 'The hook address (target_url) must be at most 500 characters.';
  expect({ status, body }).toEqual({ status: 422, body: { message, errors: { target_url: [message] } } });
});

const TARGET = `https://${PLATFORM.hooksHost}/hooks/catch/1/abc/`;

const subscribe = (api: Api, body: object) => api('POST', '/hooks', { target_url: TARGET, ...body });
const filters = ({ body }: { body: unknown }) => {
  const { status, tag, command } = body as Record<string, unknown>;
  return { status, tag, command };
};

const subscribeTo = (api: Api, target_url: unknown) =>
  api('POST', '/hooks', { event: 'contact.created', target_url });
