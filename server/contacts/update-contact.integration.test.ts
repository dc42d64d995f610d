import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { apiClient } from '#test/clients/api-client.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('contact', ({ connection: { workspaceId } }) =>
  db().contact.create({ data: { workspaceId, ...known } }),
);

describe('an update returns 200 with the complete contact and changes only the given fields', () => {
  test.for([
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
  ])('%j', async ([input, changed], { api, contact }) => {
    expect(await update(api, contact, input)).toEqual({
      status: 200,
      body: { ...shown(contact), ...changed },
    });
    const after = await row(contact);
    expect(after.createdAt).toEqual(CREATED_AT);
    expect(after.updatedAt.getTime()).toBeGreaterThan(CREATED_AT.getTime());
    expect(after.phoneDigits).toBe((after.phone ?? '').replaceAll(/\D/g, '') || null);
  });
});

describe('an empty update returns 200 and leaves the contact unchanged', () => {
  test.for([
    undefined,
    {},
    { name: null, email: '', phone: ' ', city: null, language: '' },
    { first_name: 'Eve', created_at: 'never', company: null, workspace_id: 'x', is_test: true },
  ])('%j', async (body, { api, contact }) => {
    const before = await row(contact);
    expect(await update(api, contact, body)).toEqual({ status: 200, body: shown(contact) });
    expect(await row(contact)).toEqual(before);
  });
});

test('uses the id of the path and ignores an id in the body', async ({ api, connection, contact }) => {
  const other = await db().contact.create({
    data: { workspaceId: connection.workspaceId, firstName: 'Other' },
  });
  for (const input of [other.id, 7, null, ['x']]) {
    expect(await update(api, contact, { id: input, city: 'Paris' })).toMatchObject({
      status: 200,
      body: { id: contact.id, city: 'Paris' },
    });
  }
  expect(await db().contact.findUnique({ where: { id: other.id } })).toEqual(other);
});

test('an id can be uppercase', async ({ api, contact }) => {
  const { status, body } = await api('PATCH', `/contacts/${contact.id.toUpperCase()}`, { city: 'Paris' });
  expect({ status, body }).toEqual({ status: 200, body: { ...shown(contact), city: 'Paris' } });
});

test('one response names every invalid field, including an address of another contact', async ({
  api,
  connection: { workspaceId },
  contact,
}) => {
  await db().contact.create({ data: { workspaceId, firstName: 'Grace', email: 'grace@example.com' } });
  const taken = 'This address already belongs to Grace.';
  const language = 'x'.repeat(9);
  const refused = await update(api, contact, { email: 'Grace@example.com', language, city: 'Paris' });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { email: [taken], email_duplicate: [taken], language: [expect.any(String)] } },
  });
  expect(await row(contact)).toMatchObject({ city: 'London' });
  const own = await update(api, { id: contact.id.toUpperCase() }, { email: known.email, language });
  expect(Object.keys((own.body as { errors: object }).errors)).toEqual(['language']);
});

test('no event is recorded', async ({ api, contact }) => {
  expect((await update(api, contact, { name: 'Grace', email: 'grace@example.com' })).status).toBe(200);
  expect(await db().event.count()).toBe(0);
  expect(await queuedJobs()).toEqual([]);
});

const CREATED_AT = new Date('2026-01-02T03:04:05.678Z');

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

const shown = (contact: { id: string }) => ({
  id: contact.id,
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20',
  city: 'London',
  language: 'en',
  company: null,
  created_at: '2026-01-02T03:04:05.678+00:00',
  url: `http://inbox.test/contacts/${contact.id}`,
});

const row = (contact: { id: string }) => db().contact.findUniqueOrThrow({ where: { id: contact.id } });

const update = async (api: ReturnType<typeof apiClient>, contact: { id: string }, body?: object) => {
  const response = await api('PATCH', `/contacts/${contact.id}`, body);
  return { status: response.status, body: response.body };
};
