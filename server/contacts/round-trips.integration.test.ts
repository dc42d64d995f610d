import { beforeAll, expect, test } from 'vitest';
import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { db } from '#server/core/database/prisma.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let workspaceId: string;
let companyId: string;
beforeAll(async () => {
  ({ workspaceId } = await makeConnection());
  const domains = { create: { domain: 'engines.test' } };
  companyId = (await db().company.create({ data: { workspaceId, name: 'Engines', domains } })).id;
});
/** Counts the statements of `work`, with begin and commit, without what follows the commit. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  await settleRuns();
  return (await statementsOf(work)).length;
}

test('a search of ten contacts with companies is one round trip', async () => {
  const data = Array.from({ length: 10 }, () => ({ workspaceId, companyId, phone: '7', phoneDigits: '7' }));
  await db().contact.createMany({ data });
  const search = async () => {
    const found = await searchContacts(db(), { workspaceId, email: undefined, phone: '7' });
    expect(found).toHaveLength(10);
    expect(found[0]?.company).toEqual({ id: companyId, name: 'Engines' });
  };
  expect(await roundTrips(search)).toBe(1);
});

test('a search without usable criteria sends no statement', async () => {
  const search = async () => {
    expect(await searchContacts(db(), { workspaceId, email: undefined, phone: undefined })).toEqual([]);
    expect(await searchContacts(db(), { workspaceId, email: null, phone: '7' })).toEqual([]);
  };
  expect(await roundTrips(search)).toBe(0);
});

test('a creation is a transaction of three statements: company, contact, event with its job', async () => {
  const fields = { name: 'Ada', email: 'ada@engines.test' };
  expect(await roundTrips(() => createContact({ workspaceId, fields }))).toBe(2 + 3);
});

test('an update is a transaction of two statements, or of four when the address changes', async () => {
  const { id } = await db().contact.create({ data: { workspaceId, firstName: 'Bob' } });
  const update = (fields: ContactFields) => roundTrips(() => updateContact({ workspaceId, id, fields }));
  expect(await update({ city: 'Oslo' })).toBe(2 + 2);
  expect(await update({ email: 'bob@engines.test' })).toBe(2 + 4);
  expect(await update({})).toBe(1);
});
