import { expect } from 'vitest';
import type { ContactFields } from '#server/contacts/contact-fields.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { db } from '#server/core/database/prisma.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { allMoved } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('company', { scope: 'file' }, ({ service: _ }) => makeCompany());

test('a search of ten contacts with companies is one round trip', async ({ company }) => {
  const data = Array.from({ length: 10 }, () => ({
    workspaceId: company.workspaceId,
    companyId: company.id,
    phone: '7',
    phoneDigits: '7',
  }));
  await db().contact.createMany({ data });
  const search = async () => {
    const found = await searchContacts(db(), {
      workspaceId: company.workspaceId,
      email: undefined,
      phone: '7',
    });
    expect(found).toHaveLength(10);
    expect(found[0]?.company).toEqual({ id: company.id, name: 'Engines' });
  };
  expect(await roundTrips(search)).toBe(1);
});

test('a search without usable criteria sends no statement', async ({ company }) => {
  const search = async () => {
    expect(
      await searchContacts(db(), { workspaceId: company.workspaceId, email: undefined, phone: undefined }),
    ).toEqual([]);
    expect(await searchContacts(db(), { workspaceId: company.workspaceId, email: null, phone: '7' })).toEqual(
      [],
    );
  };
  expect(await roundTrips(search)).toBe(0);
});

test('a creation is a transaction of four statements: company, contact, merged addresses, event with its job', async ({
  company,
}) => {
  const fields = { name: 'Ada', email: 'ada@engines.test' };
  expect(await roundTrips(() => createContact({ workspaceId: company.workspaceId, fields }))).toBe(2 + 4);
});

test('an update is a transaction of two statements, or of five when the address changes', async ({
  company,
}) => {
  const { id } = await db().contact.create({ data: { workspaceId: company.workspaceId, firstName: 'Bob' } });
  const update = (fields: ContactFields) =>
    roundTrips(() => updateContact({ workspaceId: company.workspaceId, id, fields }));
  expect(await update({ city: 'Oslo' })).toBe(2 + 2);
  expect(await update({ email: 'bob@engines.test' })).toBe(2 + 5);
  expect(await update({})).toBe(1);
});

/**
 * Counts the statements sent to the database, including begin and commit, excluding notifications to open
 * pages. Jobs of earlier changes are moved to the queue first, as that happens in the background.
 */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  await allMoved();
  return (await statementsOf(work)).length;
}

async function makeCompany() {
  const { workspaceId } = await makeConnection();
  const domains = { create: { domain: 'engines.test' } };
  return db().company.create({ data: { workspaceId, name: 'Engines', domains } });
}
