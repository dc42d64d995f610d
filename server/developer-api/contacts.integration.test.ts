import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { type Api, developerClient } from '#test/clients/api-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

type Contact = { id: string; email: string | null; updated_at: string };
type Page = { data: Contact[]; next_cursor: string | null };

/** `test` with an API token, its client, and contacts made by it. */
const test = serviceTest
  .extend('made', () => makeApiToken())
  .extend('developer', ({ service, made }) => developerClient(service.url, made.token))
  .extend('create', ({ developer }) => async (body: object): Promise<Contact> => {
    const { status, body: contact } = await developer('POST', '/contacts', body);
    expect(status).toBe(201);
    return contact as Contact;
  });

describe('contacts', () => {
  test('are created, read, changed and merged, with the time of their last change', async ({
    developer,
    create,
    made,
  }) => {
    const ada = await create({ name: 'Ada Lovelace', email: 'ADA@engines.test', city: 'London' });
    expect(ada).toMatchObject({
      first_name: 'Ada',
      email: 'ada@engines.test',
      updated_at: expect.any(String),
    });
    expect(await developer('GET', `/contacts/${ada.id}`)).toMatchObject({ status: 200, body: ada });
    const patched = await developer('PATCH', `/contacts/${ada.id}`, { city: 'Oslo' });
    expect(patched).toMatchObject({ status: 200, body: { city: 'Oslo', email: 'ada@engines.test' } });
    expect((patched.body as Contact).updated_at > ada.updated_at).toBe(true);

    const other = await create({ name: 'A. Lovelace', phone: '+44 20 7946 0018' });
    const merged = await developer('POST', `/contacts/${other.id}/merge`, { into_id: ada.id });
    expect(merged).toMatchObject({ status: 200, body: { id: ada.id, phone: '+44 20 7946 0018' } });
    expect(await developer('GET', `/contacts/${other.id}`)).toMatchObject({ body: { id: ada.id } });
    const entry = await db().auditEntry.findFirst({
      where: { workspaceId: made.workspaceId, kind: 'contacts_merged' },
    });
    expect(entry).toMatchObject({ userId: null, userName: 'Warehouse sync' });
  });

  test('name the program as the cause of their event', async ({ create, made }) => {
    await makeConnection({ workspaceId: made.workspaceId, teammate: made.by });
    await create({ name: 'Ada' });
    const { rows } = await pool().query('select actor, cause_id from events where workspace_id = $1', [
      made.workspaceId,
    ]);
    expect(rows).toEqual([
      { actor: { type: 'program', id: made.id, name: 'Warehouse sync' }, cause_id: made.id },
    ]);
  });

  test('are refused with every invalid field, and an unknown one before invalid values', async ({
    developer,
    create,
  }) => {
    await create({ email: 'taken@engines.test' });
    const ada = await create({ name: 'Ada' });
    expect(await developer('POST', '/contacts', { city: 'Oslo' })).toMatchObject({ status: 422 });
    const wrong = { email: 'taken@engines.test', phone: '1'.repeat(61) };
    expect(await developer('PATCH', `/contacts/${ada.id}`, wrong)).toMatchObject({
      status: 422,
      body: { errors: { phone: [expect.anything()], email: [expect.stringContaining('already belongs')] } },
    });
    expect(await developer('PATCH', '/contacts/unknown', wrong)).toMatchObject({ status: 404 });
    expect(await developer('GET', '/contacts/unknown')).toMatchObject({ status: 404 });
    const merge = (body: object) => developer('POST', `/contacts/${ada.id}/merge`, body);
    expect(await merge({})).toMatchObject({
      status: 422,
      body: { errors: { into_id: [expect.anything()] } },
    });
    expect(await merge({ into_id: ada.id })).toMatchObject({ status: 422 });
    expect(await merge({ into_id: randomUUID() })).toMatchObject({ status: 404 });
  });
});

describe('GET /contacts', () => {
  test('reads every contact once by its cursors, also one that is added or changed in the meantime', async ({
    developer,
    create,
  }) => {
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await create({ email: `c${n}@engines.test` }));
    const first = await page(developer, 'limit=2');
    expect(first.data.map(({ email }) => email)).toEqual(['c0@engines.test', 'c1@engines.test']);
    await developer('PATCH', `/contacts/${made[0]?.id}`, { city: 'Oslo' });
    await create({ email: 'c5@engines.test' });
    const second = await page(developer, `limit=2&cursor=${first.next_cursor}`);
    const third = await page(developer, `limit=100&cursor=${second.next_cursor}`);
    const emails = [...second.data, ...third.data].map(({ email }) => email);
    expect(emails).toEqual(['c2', 'c3', 'c4', 'c0', 'c5'].map((name) => `${name}@engines.test`));
    expect(third.next_cursor).toBeNull();
  });

  test('has no next page when the last one is full', async ({ developer, create }) => {
    for (let n = 0; n < 2; n += 1) await create({ email: `c${n}@engines.test` });
    expect(await page(developer, 'limit=2')).toMatchObject({ data: [{}, {}], next_cursor: null });
  });

  test('finds contacts by address, digits of the phone, company and time of the last change', async ({
    developer,
    create,
    made: { workspaceId },
  }) => {
    const company = await db().company.create({ data: { workspaceId, name: 'Engines' } });
    await db().companyDomain.create({ data: { workspaceId, companyId: company.id, domain: 'engines.test' } });
    const ada = await create({ email: 'ada@engines.test', phone: '+44 20 7946' });
    const bob = await create({ email: 'bob@other.test' });
    const cleo = await create({ email: 'cleo@other.test', phone: '44207946' });
    await developer('POST', `/contacts/${cleo.id}/merge`, { into_id: ada.id });
    const found = async (query: string) => (await page(developer, query)).data.map(({ id }) => id);
    expect(await found('email=ADA@engines.test')).toEqual([ada.id]);
    expect(await found('email=cleo@other.test')).toEqual([ada.id]);
    expect(await found('email=nobody')).toEqual([]);
    expect(await found('phone=44-20-7946')).toEqual([ada.id]);
    expect(await found('phone=none')).toEqual([]);
    expect(await found(`company_id=${company.id}`)).toEqual([ada.id]);
    expect(await found(`company_id=${company.id}&email=bob@other.test`)).toEqual([]);
    expect(await found('company_id=none')).toEqual([]);
    expect(await found(`updated_since=${encodeURIComponent(bob.updated_at)}`)).toEqual([bob.id, ada.id]);
    expect(await found(`updated_since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  });

  test.for([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=MQ', 'cursor'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-11-21T06:00:00', 'updated_since'],
    [`phone=${'1'.repeat(61)}`, 'phone'],
  ] as const)('refuses %s', async ([query, field], { developer }) => {
    const refused = await developer('GET', `/contacts?${query}`);
    expect(refused).toMatchObject({ status: 422, body: { errors: { [field]: [expect.anything()] } } });
  });
});

describe('an attacker', () => {
  test('reads, changes and merges no contact of another workspace', async ({
    developer,
    create,
    service,
  }) => {
    const stranger = await makeApiToken();
    const theirs = developerClient(service.url, stranger.token);
    const { body } = await theirs('POST', '/contacts', { email: 'victim@engines.test' });
    const { id } = body as Contact;
    const mine = await create({ name: 'Mine' });
    for (const [method, path, sent] of [
      ['GET', `/contacts/${id}`],
      ['PATCH', `/contacts/${id}`, { name: 'Taken' }],
      ['POST', `/contacts/${id}/merge`, { into_id: mine.id }],
      ['POST', `/contacts/${mine.id}/merge`, { into_id: id }],
    ] as const) {
      expect((await developer(method, path, sent)).status, path).toBe(404);
    }
    expect((await page(developer, 'email=victim@engines.test')).data).toEqual([]);
    expect((await theirs('GET', `/contacts/${id}`)).body).toEqual(body);
  });

  test.for([
    ['POST', '/contacts', { name: 'Late' }],
    ['POST', '/contacts', { name: 'Late' }, { 'idempotency-key': 'late' }],
    ['PATCH', '/contacts/{id}', { city: 'Late' }],
    ['POST', '/contacts/{id}/merge', { into_id: '{other}' }],
    ['POST', '/contacts/{id}/merge', { into_id: '{other}' }, { 'idempotency-key': 'late' }],
  ] as const)(
    'changes nothing by %s %s whose token is revoked while it is under way (%#)',
    async (call, { developer, create, made }) => {
      const [{ id }, other] = [await create({ name: 'One' }), await create({ name: 'Two' })];
      const before = await stateOf(made.workspaceId);
      const [method, path, sent, headers] = call;
      const body = JSON.parse(JSON.stringify(sent).replace('{other}', other.id));
      const revoking = await pool().connect();
      try {
        await revoking.query('begin');
        await revoking.query('update api_tokens set revoked_at = now() where id = $1', [made.id]);
        const answer = developer(method, path.replace('{id}', id), body, headers);
        await until('the write waits for the token', async () => (await countLockWaiters()) > 0);
        await revoking.query('commit');
        expect(await answer).toMatchObject({
          status: 401,
          body: { message: 'The API token is missing, unknown, expired or revoked.' },
        });
      } finally {
        revoking.release();
      }
      expect(await stateOf(made.workspaceId)).toEqual(before);
    },
  );
});

describe('an Idempotency-Key', () => {
  test('creates and merges once, and belongs to its token', async ({ developer, create, service, made }) => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await developer('POST', '/contacts', { name: 'Ada' }, key),
      await developer('POST', '/contacts', { name: 'Ada' }, key),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await developer('POST', '/contacts', { name: 'Bob' }, key)).status).toBe(422);
    const second = await makeApiToken({ where: made });
    const others = await developerClient(service.url, second.token)(
      'POST',
      '/contacts',
      { name: 'Ada' },
      key,
    );
    expect((others.body as Contact).id).not.toBe((first.body as Contact).id);

    const [from, into] = [await create({ name: 'From' }), await create({ name: 'Into' })];
    const merge = () =>
      developer('POST', `/contacts/${from.id}/merge`, { into_id: into.id }, { 'idempotency-key': 'merge' });
    const merged = await merge();
    expect(merged).toMatchObject({ status: 200, body: { id: into.id } });
    expect((await merge()).body).toEqual(merged.body);
  });
});

async function page(api: Api, query: string): Promise<Page> {
  const { status, body } = await api('GET', `/contacts?${query}`);
  expect(status, query).toBe(200);
  return body as Page;
}

/** Returns the contacts and stored responses of a workspace. */
async function stateOf(workspaceId: string) {
  return db().contact.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
}
