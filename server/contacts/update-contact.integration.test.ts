import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

const CREATED_AT = new Date('2026-01-02T03:04:05.678Z');

const service = withTestService();
let id: string;
let workspaceId: string;
let api: ReturnType<typeof apiClient>;
beforeEach(async () => {
  const connection = await makeConnection();
  workspaceId = connection.workspaceId;
  api = apiClient(service.url, connection.accessToken);
  id = (await db().contact.create({ data: { workspaceId, ...known } })).id;
});

const known = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20',
  phoneDigits: '4420',
  city: 'London',
  language: 'en',
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};
const shown = () => ({
  id,
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20',
  city: 'London',
  language: 'en',
  company: null,
  created_at: '2026-01-02T03:04:05.678+00:00',
  url: `http://inbox.test/contacts/${id}`,
});
const row = () => db().contact.findUniqueOrThrow({ where: { id } });
const update = async (body?: object) => {
  const response = await api('PATCH', `/contacts/${id}`, body);
  return { status: response.status, body: response.body };
};

describe('an update answers 200 with the whole Contact and changes only the given fields', () => {
  test.each([
    [{ name: 'Grace Hopper' }, { name: 'Grace Hopper', first_name: 'Grace', last_name: 'Hopper' }],
    [{ name: ' Grace ' }, { name: 'Grace', first_name: 'Grace', last_name: null }],
    [{ email: ' GRACE@Example.com ' }, { email: 'grace@example.com' }],
    [{ phone: ' (020) 7946-0018 ' }, { phone: '(020) 7946-0018' }],
    [{ phone: 'ask at the desk' }, { phone: 'ask at the desk' }],
    [{ city: 'Paris' }, { city: 'Paris' }],
    [{ language: 'fr-CA' }, { language: 'fr-CA' }],
    [
      { name: 'Bo', email: 'bo@example.com', phone: '7', city: 'Oslo', language: 'no' },
      {
        name: 'Bo',
        first_name: 'Bo',
        last_name: null,
        email: 'bo@example.com',
        phone: '7',
        city: 'Oslo',
        language: 'no',
      },
    ],
    [{ city: 'Paris', name: '', email: null, phone: ' ', language: '\n' }, { city: 'Paris' }],
  ])('%j', async (given, changed) => {
    expect(await update(given)).toEqual({ status: 200, body: { ...shown(), ...changed } });
    const after = await row();
    expect(after.createdAt).toEqual(CREATED_AT);
    expect(after.updatedAt.getTime()).toBeGreaterThan(CREATED_AT.getTime());
    expect(after.phoneDigits).toBe((after.phone ?? '').replaceAll(/\D/g, '') || null);
  });
});

describe('an empty update answers 200 and leaves the contact unchanged', () => {
  test.each([
    undefined,
    {},
    { name: null, email: '', phone: ' ', city: null, language: '' },
    { first_name: 'Eve', created_at: 'never', company: null, workspace_id: 'x', is_test: true },
  ])('%j', async (body) => {
    const before = await row();
    expect(await update(body)).toEqual({ status: 200, body: shown() });
    expect(await row()).toEqual(before);
  });
});

test('the id of the path counts, not an id in the body', async () => {
  const other = await db().contact.create({ data: { workspaceId, firstName: 'Other' } });
  for (const given of [other.id, 7, null, ['x']]) {
    expect(await update({ id: given, city: 'Paris' })).toMatchObject({
      status: 200,
      body: { id, city: 'Paris' },
    });
  }
  expect(await db().contact.findUnique({ where: { id: other.id } })).toEqual(other);
});

test('an id can be uppercase', async () => {
  const { status, body } = await api('PATCH', `/contacts/${id.toUpperCase()}`, { city: 'Paris' });
  expect({ status, body }).toEqual({ status: 200, body: { ...shown(), city: 'Paris' } });
});

test('one response names every invalid field, also an address that another contact has', async () => {
  await db().contact.create({ data: { workspaceId, firstName: 'Grace', email: 'grace@example.com' } });
  const taken = 'This address already belongs to Grace.';
  const tooLong = 'The language (language) must be at most 8 characters.';
  const refused = await update({ email: 'Grace@example.com', language: 'x'.repeat(9), city: 'Paris' });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { email: [taken], email_duplicate: [taken], language: [expect.any(String)] } },
  });
  expect(await row()).toMatchObject({ city: 'London' });
  const own = await api('PATCH', `/contacts/${id.toUpperCase()}`, { email: known.email, language: tooLong });
  expect(Object.keys((own.body as { errors: object }).errors)).toEqual(['language']);
});

test('no event is recorded', async () => {
  expect((await update({ name: 'Grace', email: 'grace@example.com' })).status).toBe(200);
  expect(await db().event.count()).toBe(0);
  expect(await queuedJobs()).toEqual([]);
});
