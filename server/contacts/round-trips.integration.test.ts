import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createContact } from '#server/contacts/create-contact.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { db } from '#server/db.ts';
import { makeConnection } from '#test/factories.ts';
import { withTestService } from '#test/with-service.ts';

withTestService();
let workspaceId: string;
let companyId: string;
const asked = vi.spyOn(Client.prototype, 'query');
beforeAll(async () => {
  ({ workspaceId } = await makeConnection());
  const domains = { create: { domain: 'engines.test' } };
  companyId = (await db().company.create({ data: { workspaceId, name: 'Engines', domains } })).id;
});
afterAll(async () => {
  asked.mockRestore();
});
beforeEach(() => {
  asked.mockClear();
});

/** How often the database was asked; the beginning and the end of a transaction count. */
const roundTrips = () => asked.mock.calls.length;

test('a search of ten contacts with companies is one round trip', async () => {
  const data = Array.from({ length: 10 }, () => ({ workspaceId, companyId, phone: '7', phoneDigits: '7' }));
  await db().contact.createMany({ data });
  asked.mockClear();
  const found = await searchContacts(db(), { workspaceId, email: undefined, phone: '7' });
  expect(found).toHaveLength(10);
  expect(found[0]?.company).toEqual({ id: companyId, name: 'Engines' });
  expect(roundTrips()).toBe(1);
});

test('a search that can find nobody asks nothing', async () => {
  expect(await searchContacts(db(), { workspaceId, email: undefined, phone: undefined })).toEqual([]);
  expect(await searchContacts(db(), { workspaceId, email: null, phone: '7' })).toEqual([]);
  expect(roundTrips()).toBe(0);
});

test('a creation is a transaction of three statements: company, contact, event with its job', async () => {
  await createContact({ workspaceId, fields: { name: 'Ada', email: 'ada@engines.test' } });
  expect(roundTrips()).toBe(2 + 3);
});

test('an update is a transaction of three statements: link, contact, its company; of two without an address', async () => {
  const { id } = await db().contact.create({ data: { workspaceId, firstName: 'Bob' } });
  asked.mockClear();
  await updateContact({ workspaceId, id, fields: { city: 'Oslo' } });
  expect(roundTrips()).toBe(2 + 2);
  asked.mockClear();
  await updateContact({ workspaceId, id, fields: { email: 'bob@engines.test' } });
  expect(roundTrips()).toBe(2 + 3);
  asked.mockClear();
  await updateContact({ workspaceId, id, fields: {} });
  expect(roundTrips()).toBe(1);
});
