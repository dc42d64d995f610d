import { MAX, NIL } from 'uuid';
import { describe, expect } from 'vitest';
import { ABILITIES, type Ability, type NeededAbility } from '#server/automation/tokens/abilities.ts';
import { revokeToken } from '#server/automation/tokens/api-tokens.ts';
import { newToken } from '#server/automation/tokens/token-text.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import { db } from '#server/core/database/prisma.ts';
import { DEVELOPER_API_PATH } from '#server/core/env.ts';
import { developerDocument } from '#server/developer-api/openapi/document.ts';
import { apiClient, developerClient } from '#test/clients/api-client.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

const NOT_VALID = { message: 'The API token is missing, unknown, expired or revoked.' };

describe('GET /me', () => {
  test('returns the token, its abilities and its workspace', async ({ service }) => {
    const abilities: Ability[] = ['read', 'write_contacts'];
    const { id, token, workspaceId } = await makeApiToken({ abilities });
    const { status, body, headers } = await developerClient(service.url, token)('GET', '/me');
    expect([status, body]).toEqual([
      200,
      {
        id,
        label: 'Warehouse sync',
        abilities,
        workspace: { id: workspaceId, name: 'Acme', is_test: false },
      },
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'request-id': headers.get('x-request-id'),
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': '599',
      ratelimit: expect.stringMatching(/^"default";r=599;t=(60|59)$/),
      'ratelimit-policy': '"default";q=600;w=60',
    });
  });

  test('is also served on the host of the API, where nothing else is', async ({ service }) => {
    const { token } = await makeApiToken();
    const get = (path: string, host: string) =>
      rawRequest(service.url, { method: 'GET', path, headers: { host, authorization: `Bearer ${token}` } });
    expect(await get('/v1/me', 'API.inbox.test:443')).toMatchObject({ status: 200 });
    expect(await get('/v1/openapi.json', 'api.inbox.test')).toMatchObject({
      status: 200,
      body: { servers: [{ url: 'https://api.inbox.test/v1' }] },
    });
    for (const path of ['/', '/v1', '/me', '/api/v1/me', '/api/automation/v1/me', '/sign-in', '/healthz']) {
      expect((await get(path, 'api.inbox.test')).status, path).toBe(404);
    }
  });

  test('records the time and address of the last use at most once a minute', async ({ service }) => {
    const { id, token } = await makeApiToken();
    const call = (address: string) =>
      developerClient(service.url, token)('GET', '/me', undefined, { 'x-forwarded-for': address });
    const lastUse = () =>
      db().apiToken.findUnique({ where: { id }, select: { lastUsedAt: true, lastUsedAddress: true } });
    await call('192.0.2.1');
    const first = await lastUse();
    expect(first).toMatchObject({ lastUsedAt: expect.any(Date), lastUsedAddress: '192.0.2.1' });
    await call('192.0.2.2');
    expect(await lastUse()).toEqual(first);
    await db().$executeRaw`
      update api_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}::uuid`;
    await call('not an address');
    expect(await lastUse()).toMatchObject({ lastUsedAddress: null });
  });

  test('stops at 600 calls a minute per token', async ({ service }) => {
    const [{ id, token }, other] = [await makeApiToken(), await makeApiToken()];
    await useUpLimit(id, 'developer_api');
    const { status, headers, body } = await developerClient(service.url, token)('GET', '/me');
    expect([status, body]).toEqual([429, { message: 'Too Many Attempts.' }]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/),
      ratelimit: expect.stringMatching(/^"default";r=0;t=\d+$/),
    });
    expect((await developerClient(service.url, other.token)('GET', '/me')).status).toBe(200);
  });
});

describe('an attacker is refused', () => {
  test('with a token that is wrong, revoked, expired or of another kind, in the same words', async ({
    service,
    connection,
  }) => {
    const [revoked, expired, live] = [await makeApiToken(), await makeApiToken(), await makeApiToken()];
    await revokeToken({ ...revoked });
    await db().$executeRaw`update api_tokens set expires_at = now() where id = ${expired.id}::uuid`;
    const tokens = [
      revoked.token,
      expired.token,
      newToken({ isTest: false }),
      newToken({ isTest: true }),
      live.token.slice(0, -1),
      live.token.toLowerCase(),
      live.token.slice('inbox_'.length),
      connection.accessToken,
    ];
    for (const token of tokens) {
      const { status, body, headers } = await developerClient(service.url, token)('GET', '/me');
      expect([status, body], token).toEqual([401, NOT_VALID]);
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
    }
  });

  test('with an API token at the automation API', async ({ service }) => {
    const { token } = await makeApiToken();
    const { status, body } = await apiClient(service.url, token)('GET', '/me');
    expect([status, body]).toEqual([401, { message: 'The connection has expired, reconnect.' }]);
  });

  test('with a token in the query string, as Basic credentials or in another header', async ({ service }) => {
    const { token } = await makeApiToken();
    const attempts: [string, Record<string, string>][] = [
      [`/me?access_token=${token}&token=${token}&api_key=${token}`, {}],
      ['/me', { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }],
      ['/me', { authorization: token }],
      ['/me', { 'x-api-key': token }],
    ];
    for (const [path, headers] of attempts) {
      const response = await fetch(`${service.url}${DEVELOPER_API_PATH}${path}`, { headers });
      expect(response.status, path).toBe(401);
      await response.body?.cancel();
    }
  });

  test('with a wrong checksum before the database is asked, and guesses are limited', async ({ service }) => {
    const token = newToken({ isTest: false });
    const address = { 'x-forwarded-for': '198.51.100.77' };
    const get = (text: string) => developerClient(service.url, text)('GET', '/me', undefined, address);
    const wrong = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    expect(await statementsOf(() => get(wrong))).toEqual([]);
    await useUpLimit('198.51.100.77', 'unknown_token');
    expect((await get(token)).status).toBe(429);
    expect((await get(wrong)).status).toBe(401);
  });
});

test('unknown paths, methods and HEAD are answered as in the automation API', async ({ service }) => {
  const { token } = await makeApiToken();
  const api = developerClient(service.url, token);
  expect(await api('GET', '/nothing')).toMatchObject({ status: 404 });
  const { status, headers, body } = await api('POST', '/me', {});
  expect([status, headers.get('allow'), body]).toEqual([
    405,
    'GET, HEAD',
    { message: 'This address supports GET only.' },
  ]);
  const head = await developerClient(service.url, token)('HEAD', '/me');
  expect([head.status, head.body]).toEqual([200, null]);
  const document = await fetch(`${service.url}${DEVELOPER_API_PATH}/openapi.json`);
  expect([document.status, document.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  await document.body?.cancel();
});

type Call = {
  name: string;
  path: string;
  body?: object | string;
  headers?: Record<string, string>;
  needs: NeededAbility | null;
};

/** Every call, with ids of nothing: a permitted call is answered with `404` or its result, never with `403`. */
const CALLS: Call[] = [
  { name: 'GET /me', path: '/me', needs: null },
  { name: 'GET /teammates', path: '/teammates', needs: 'read' },
  { name: 'GET /teams', path: '/teams', needs: 'read' },
  { name: 'GET /saved-replies', path: '/saved-replies', needs: 'read' },
  { name: 'GET /tags', path: '/tags', needs: 'read' },
  { name: 'GET /contacts', path: '/contacts', needs: 'read' },
  { name: 'GET /events', path: '/events', needs: 'read' },
  { name: 'GET /contacts/{id}', path: `/contacts/${NIL}`, needs: 'read' },
  { name: 'POST /contacts', path: '/contacts', body: { name: 'Ada' }, needs: 'write_contacts' },
  { name: 'PATCH /contacts/{id}', path: `/contacts/${NIL}`, body: { city: 'Oslo' }, needs: 'write_contacts' },
  {
    name: 'POST /contacts/{id}/merge',
    path: `/contacts/${NIL}/merge`,
    body: { into_id: MAX },
    needs: 'write_contacts',
  },
  { name: 'GET /companies', path: '/companies', needs: 'read' },
  { name: 'GET /companies/{id}', path: `/companies/${NIL}`, needs: 'read' },
  { name: 'POST /companies', path: '/companies', body: { name: 'Acme' }, needs: 'write_contacts' },
  {
    name: 'PATCH /companies/{id}',
    path: `/companies/${NIL}`,
    body: { name: 'Acme' },
    needs: 'write_contacts',
  },
  { name: 'GET /conversations/{id}/tags', path: `/conversations/${NIL}/tags`, needs: 'read' },
  ...(
    [
      ['PATCH', '', { status: 'solved' }],
      ['POST', '/merge', { into_id: MAX }],
      ['POST', '/replies', { content: 'Hi' }],
      ['POST', '/notes', { content: 'Hi' }],
      ['POST', '/tags', { tags: ['VIP'] }],
      ['DELETE', '/tags/{tag}', undefined],
    ] as const
  ).map(
    ([method, below, body]): Call => ({
      name: `${method} /conversations/{id}${below}`,
      path: `/conversations/${NIL}${below}`,
      ...(body ? { body } : {}),
      needs: 'write_conversations',
    }),
  ),
  {
    name: 'POST /conversations',
    path: '/conversations',
    body: { to_email: 'ada@engines.test', subject: 'Order', content: 'Hello' },
    needs: 'write_conversations',
  },
  { name: 'GET /conversations', path: '/conversations', needs: 'read' },
  { name: 'GET /conversations/search', path: '/conversations/search?query=refund', needs: 'read' },
  { name: 'GET /conversations/{id}', path: `/conversations/${NIL}`, needs: 'read' },
  { name: 'GET /conversations/{id}/messages', path: `/conversations/${NIL}/messages`, needs: 'read' },
  {
    name: 'POST /files',
    path: '/files',
    body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHello\r\n--x--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    needs: 'write_conversations',
  },
  { name: 'GET /conversations/{id}/notes', path: `/conversations/${NIL}/notes`, needs: 'read' },
  {
    name: 'POST /conversations/{id}/suggested-replies',
    path: `/conversations/${NIL}/suggested-replies`,
    body: { content: 'Hello', reason: 'Asked for.' },
    needs: 'suggest_replies',
  },
  ...(
    [
      ['GET /webhooks', '/webhooks'],
      ['POST /webhooks', '/webhooks', { url: 'https://example.com/hook', events: ['note.added'] }],
      ['GET /webhooks/{id}', `/webhooks/${NIL}`],
      ['PATCH /webhooks/{id}', `/webhooks/${NIL}`, { enabled: false }],
      ['DELETE /webhooks/{id}', `/webhooks/${NIL}`],
      ['GET /webhooks/{id}/secret', `/webhooks/${NIL}/secret`],
      ['POST /webhooks/{id}/rotate-secret', `/webhooks/${NIL}/rotate-secret`],
      ['POST /webhooks/{id}/test', `/webhooks/${NIL}/test`],
      ['POST /webhooks/{id}/replay', `/webhooks/${NIL}/replay`, { since: '2026-11-21T06:00:00Z' }],
      ['GET /webhooks/{id}/deliveries', `/webhooks/${NIL}/deliveries`],
      ['GET /webhooks/{id}/deliveries/{delivery_id}', `/webhooks/${NIL}/deliveries/${NIL}`],
      ['POST /webhooks/{id}/deliveries/{delivery_id}/resend', `/webhooks/${NIL}/deliveries/${NIL}/resend`],
    ] as const
  ).map(([name, path, body]): Call => ({ name, path, ...(body ? { body } : {}), needs: 'manage_webhooks' })),
];

describe('abilities', () => {
  test('the table below has every call of the document', () => {
    const documented = Object.entries(developerDocument.paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listed = [...CALLS.map(({ name }) => name), 'GET /openapi.json'];
    expect(listed.sort()).toEqual(documented.sort());
  });

  test('can be chosen in the settings as soon as a call needs them', async () => {
    const { by } = await makeApiToken();
    const { abilities } = await (await (await signInTeammate(by))()).developers.get();
    const needed = new Set(CALLS.flatMap(({ needs }) => needs ?? []));
    expect(abilities.map(({ value }) => value).sort()).toEqual([...needed, 'full_access'].sort());
  });

  test.for(ABILITIES)(
    'a token with only the ability %s may make exactly its calls',
    async (ability, { service }) => {
      const { token, workspaceId } = await makeApiToken({ abilities: [ability] });
      const api = developerClient(service.url, token);
      for (const { name, path, body, headers, needs } of CALLS) {
        const isAllowed = needs === null || needs === ability || ability === 'full_access';
        const { status, body: answer } = await api(name.split(' ')[0] ?? '', path, body, headers);
        if (isAllowed) expect([200, 201, 404], name).toContain(status);
        else
          expect([status, answer], name).toEqual([
            403,
            { message: `This token needs the ability ${needs}.` },
          ]);
      }
      const created = [
        await db().contact.count({ where: { workspaceId, firstName: 'Ada' } }),
        await db().conversation.count({ where: { workspaceId } }),
      ];
      const may = (needed: Ability) => (ability === needed || ability === 'full_access' ? 1 : 0);
      expect(created).toEqual([may('write_contacts'), may('write_conversations')]);
    },
  );
});

test('the plan and the body of a refused call are not looked at: 403 comes before 422', async ({
  service,
}) => {
  const { token } = await makeApiToken({ abilities: ['read'] });
  expect(await developerClient(service.url, token)('POST', '/contacts', 'no json')).toMatchObject({
    status: 403,
  });
});

test('lists teammates who can take conversations, teams, and tags page by page', async ({
  service,
  teammates,
}) => {
  const { workspaceId, owner, admin, agent } = teammates;
  const { token } = await makeApiToken({ where: { workspaceId, by: owner } });
  const api = developerClient(service.url, token);
  const team = await db().team.create({ data: { workspaceId, name: 'Support' } });
  expect((await api('GET', '/teammates')).body).toMatchObject({
    data: [owner, admin, agent]
      .map(({ id }) => ({ id }))
      .sort((a, b) => (nameOf(a.id) < nameOf(b.id) ? -1 : 1)),
    next_cursor: null,
  });
  expect((await api('GET', '/teams')).body).toEqual({
    data: [{ id: team.id, name: 'Support' }],
    next_cursor: null,
  });

  for (const names of [
    ['VIP', 'refund', 'Zürich'],
    ['vip', 'later'],
  ]) {
    const conversationId = await makeConversation({ workspaceId, teammate: owner });
    await db().conversationTag.deleteMany({ where: { conversationId } });
    await db().conversationTag.createMany({
      data: names.map((name) => ({ workspaceId, conversationId, name, key: tagKey(name) })),
    });
  }
  const first = (await api('GET', '/tags?limit=3')).body as { data: object[]; next_cursor: string };
  expect(first.data).toEqual([
    { name: 'later' },
    { name: 'refund' },
    { name: expect.stringMatching(/^vip$/i) },
  ]);
  expect((await api('GET', `/tags?limit=3&cursor=${first.next_cursor}`)).body).toEqual({
    data: [{ name: 'Zürich' }],
    next_cursor: null,
  });
  for (const query of ['cursor=%00', 'cursor=AA', 'limit=none'])
    expect((await api('GET', `/tags?${query}`)).status, query).toBe(422);

  function nameOf(id: string): string {
    return [owner, admin, agent].find((each) => each.id === id)?.name ?? '';
  }
});
