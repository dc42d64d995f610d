import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { SESSION_SLOTS } from '#server/http/request/session-slots.ts';
import type { screensRouter } from '#server/screens/router.ts';
import { ORIGIN, signInAs } from '#test/clients/sign-in.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

const test = serviceTest.extend('reader', { scope: 'file' }, ({ service }) => makeReader(service.url));

const LIST = 'contacts.list';
const EVIL = JSON.stringify({ json: { name: 'Evil' } });

describe('an open page', () => {
  test('reads the same as its server components, and dates stay dates', async ({ service, reader }) => {
    const client = createTRPCClient<typeof screensRouter>({
      links: [
        httpBatchLink({
          url: `${service.url}/api/screens`,
          headers: headersOf(reader),
          transformer: superjson,
        }),
      ],
    });
    const [page, tags] = await Promise.all([client.contacts.list.query(), client.conversations.tags.query()]);
    expect(page.rows).toMatchObject([{ name: 'Ada Lovelace', createdAt: reader.contact.createdAt }]);
    expect(tags).toEqual([]);
    const refused = await client.conversations.earlier
      .query({ id: 'x', before: 'y' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TRPCClientError);
    expect(refused).toMatchObject({ data: { httpStatus: 404 }, message: 'The conversation was not found.' });
  });

  test('gets responses that no cache stores', async ({ service, reader }) => {
    const { status, headers } = await request(service.url, reader, LIST);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('that leaves before the responses arrive can read again', async ({ service, reader }) => {
    const leave = new AbortController();
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = db().$transaction(async (tx) => {
      await tx.$executeRaw`lock table contacts`;
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const { signal } = leave;
    // Some are being answered, others wait for their turn.
    const left = Array.from({ length: SESSION_SLOTS.max + 2 }, () =>
      request(service.url, reader, LIST, { signal }).catch(() => 'left'),
    );
    await until('queries wait', async () => (await countLockWaiters()) > 0);
    leave.abort();
    expect(await Promise.all(left)).toEqual(left.map(() => 'left'));
    held.resolve();
    await holding;
    const again = Array.from({ length: SESSION_SLOTS.max }, () => request(service.url, reader, LIST));
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual(again.map(() => 200));
  });
});

describe('an open page that changes something', () => {
  const client = (url: string, reader: Reader) =>
    createTRPCClient<typeof screensRouter>({
      links: [
        httpLink({
          url: `${url}/api/screens`,
          headers: { ...headersOf(reader), origin: ORIGIN },
          transformer: superjson,
        }),
      ],
    });

  test('gets the result, or the sentences of a refusal by field', async ({ service }) => {
    const reader = await makeReader(service.url);
    const { companies } = client(service.url, reader);
    expect(await companies.create.mutate({ name: 'Acme' })).toMatchObject({
      id: expect.any(String),
    });
    expect(await companiesOf(reader)).toBe(1);
    const refused = await companies.create.mutate({ name: ' ' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ data: { httpStatus: 422, errors: { name: [expect.any(String)] } } });
  });

  test('waits for its turn, with the pages and reads of the session', async ({ service }) => {
    const reader = await makeReader(service.url);
    const all = Array.from({ length: SESSION_SLOTS.max * 2 }, (_, n) =>
      client(service.url, reader).companies.create.mutate({ name: `Company ${n}` }),
    );
    await Promise.all(all);
    expect(await companiesOf(reader)).toBe(all.length);
  });
});

describe('an attacker', () => {
  const NAME = 'Lovelace';

  test('without a session reads nothing', async ({ service, reader }) => {
    for (const cookie of ['', 'better-auth.session_token=forged.forged']) {
      const { status, text } = await request(service.url, reader, LIST, { headers: { cookie } });
      expect(status).toBe(401);
      expect(text).not.toContain(NAME);
    }
  });

  test.for([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['a typed address or a link', { 'sec-fetch-site': 'none' }],
    [
      'a browser that names another origin',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ],
    ['a frame without an origin', { origin: 'null' }],
  ] as const)(
    'reads nothing with a teammate’s cookies from %s',
    async ([_from, headers], { service, reader }) => {
      const { status, text } = await request(service.url, reader, LIST, { headers });
      expect(status).toBe(403);
      expect(text).not.toContain(NAME);
    },
  );

  test('cannot use a plain link in an old browser, as the header of our pages is missing', async ({
    service,
    reader,
  }) => {
    const { status, text } = await request(service.url, reader, LIST, {
      headers: { 'sec-fetch-site': 'same-origin', 'x-workspace-id': '' },
    });
    expect([400, 409]).toContain(status);
    expect(text).not.toContain(NAME);
  });

  test('of another workspace reads nothing', async ({ service, reader }) => {
    const stranger = await makeReader(service.url);
    const theirs = { cookie: stranger.cookie, 'x-workspace-id': reader.workspaceId };
    expect(await request(service.url, reader, LIST, { headers: theirs })).toMatchObject({ status: 409 });
    const own = { cookie: stranger.cookie, 'x-workspace-id': stranger.workspaceId };
    const input = encodeURIComponent(JSON.stringify({ json: { id: reader.contact.id } }));
    const { text } = await request(service.url, reader, `contacts.get?input=${input}`, { headers: own });
    expect(text).not.toContain(NAME);
  });

  test('changes nothing through GET', async ({ service, reader }) => {
    const input = encodeURIComponent(JSON.stringify({ json: { name: 'Evil' } }));
    for (const path of [`companies.create?input=${input}`, `companies.create?batch=1&input=${input}`]) {
      const { status, text } = await request(service.url, reader, path);
      expect(status).toBe(405);
      expect(text).toContain('Nothing can be changed here.');
    }
    expect(await db().company.count({ where: { workspaceId: reader.workspaceId } })).toBe(0);
  });

  test.for(['PUT', 'PATCH', 'DELETE'])('changes nothing through %s', async (method, { service, reader }) => {
    const { status, headers } = await post(service.url, reader, 'companies.create', EVIL, { method });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, POST');
    expect(await companiesOf(reader)).toBe(0);
  });

  test.for([
    ['a page of another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['another origin', 403, { origin: 'https://evil.example' }],
    ['no session', 401, { cookie: '' }],
    ['a form, which needs no preflight', 415, { 'content-type': 'text/plain' }],
    ['a form with files', 415, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['the page of another workspace', 409, { 'x-workspace-id': crypto.randomUUID() }],
  ] as const)('changes nothing from %s', async ([_from, expected, headers], { service, reader }) => {
    const { status } = await post(service.url, reader, 'companies.create', EVIL, { headers });
    expect(status).toBe(expected);
    expect(await companiesOf(reader)).toBe(0);
  });

  test.for([
    ['many changes in one request', 'companies.create,companies.create?batch=1', 400],
    ['a change that is for forms only', 'session.signOut', 404],
    ['a query', LIST, 405],
  ] as const)('gets nowhere by posting %s', async ([_what, path, expected], { service, reader }) => {
    const { status } = await post(service.url, reader, path, EVIL);
    expect(status).toBe(expected);
    expect(await companiesOf(reader)).toBe(0);
    expect(await request(service.url, reader, LIST)).toMatchObject({ status: 200 });
  });

  test('cannot post more than a page may', async ({ service, reader }) => {
    const { status } = await post(service.url, reader, 'companies.create', 'x'.repeat(1024 * 1024 + 1));
    expect(status).toBe(413);
  });

  test('cannot read a hundred lists in one request', async ({ service, reader }) => {
    const { status, text } = await request(
      service.url,
      reader,
      `${Array.from({ length: 100 }, () => LIST).join(',')}?batch=1`,
    );
    expect(status).toBe(400);
    expect(text).not.toContain(NAME);
  });

  test('cannot send a very long URL', async ({ service, reader }) => {
    const { status } = await request(service.url, reader, `${LIST}?input=${'x'.repeat(14_100)}`);
    expect(status).toBe(414);
  });

  test.for([
    ['invalid JSON', `${LIST}?input={`, 400],
    ['an invalid input', `${LIST}?input=${encodeURIComponent('{"json":{"search":7}}')}`, 400],
    ['an unknown procedure', 'contacts.everything', 404],
    ['no procedure', '', 404],
    ['the prototype of an object', '__proto__.constructor', 404],
  ] as const)(
    'learns nothing of the implementation from %s',
    async ([_what, path, expected], { service, reader }) => {
      const { status, text } = await request(service.url, reader, path);
      expect(status).toBe(expected);
      expect(text).not.toMatch(/stack|node_modules|\.ts|zod|expected|procedure/i);
    },
  );
});

/** Creates a signed-in member of a new workspace with one contact. */
async function makeReader(url: string) {
  const workspaceId = (await makeWorkspace()).id;
  const user = await makeUser();
  await addMember(workspaceId, user.id, 'agent');
  const contact = await db().contact.create({
    data: { workspaceId, firstName: 'Ada', lastName: 'Lovelace' },
  });
  return { workspaceId, user, contact, cookie: await signInAs(url, user) };
}

type Reader = Awaited<ReturnType<typeof makeReader>>;

/** The headers of an open page. */
const headersOf = ({ cookie, workspaceId }: Pick<Reader, 'cookie' | 'workspaceId'>) => ({
  cookie,
  'x-workspace-id': workspaceId,
  'sec-fetch-site': 'same-origin',
});

async function request(
  url: string,
  reader: Reader,
  path: string,
  { headers = {}, ...init }: RequestInit & { headers?: object } = {},
) {
  const sent = { ...headersOf(reader), ...headers } as Record<string, string>;
  const response = await fetch(`${url}/api/screens/${path}`, { ...init, headers: sent });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Posts JSON to a procedure like an open page. */
function post(
  url: string,
  reader: Reader,
  path: string,
  body: string,
  { method = 'POST', headers = {} }: { method?: string; headers?: object } = {},
) {
  const json = { 'content-type': 'application/json', origin: ORIGIN };
  return request(url, reader, path, { method, body, headers: { ...json, ...headers } });
}

function companiesOf({ workspaceId }: Reader): Promise<number> {
  return db().company.count({ where: { workspaceId } });
}
