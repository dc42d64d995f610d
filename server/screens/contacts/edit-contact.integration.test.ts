import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';

const test = screensTest.extend('contacts', async ({ screensOf }) => (await screensOf('agent')).contacts);

const KNOWN = {
  lastName: 'Lovelace',
  email: 'ada@engines.test',
  phone: '+44 20',
  phoneDigits: '4420',
  city: 'London',
  language: 'en',
};

describe('editing a contact', () => {
  test('changes and clears only the given fields, and emits nothing', async ({
    workspaceId,
    contacts,
    connection: _,
  }) => {
    const id = await know(workspaceId, KNOWN);
    const changes = { name: 'Ada', phone: '', city: 'Paris', language: ' ' };
    expect(await contacts.update({ id, changes })).toEqual({ kind: 'saved', id, name: 'Ada' });
    expect(await row(id)).toMatchObject({
      firstName: 'Ada',
      lastName: null,
      email: 'ada@engines.test',
      phone: null,
      phoneDigits: null,
      city: 'Paris',
      language: null,
    });
    expect(await contacts.update({ id, changes: { name: '' } })).toMatchObject({ name: 'ada@engines.test' });
    expect(await contacts.update({ id, changes: {} })).toMatchObject({ kind: 'saved' });
    expect(await db().event.count({ where: { workspaceId } })).toBe(0);
  });

  test('reports the owner of an email address that is in use', async ({ workspaceId, contacts }) => {
    const owner = await know(workspaceId, KNOWN);
    const id = await know(workspaceId);
    expect(await contacts.update({ id, changes: { email: KNOWN.email, city: 'Paris' } })).toEqual({
      kind: 'email_taken',
      sentence: 'This address already belongs to Ada Lovelace.',
      owner: { id: owner, name: 'Ada Lovelace' },
    });
    expect(await row(id)).toMatchObject({ email: null, city: null });
    expect(await contacts.update({ id: owner, changes: { email: KNOWN.email } })).toMatchObject({
      kind: 'saved',
    });
  });

  test('cannot clear the last of name, email address and phone number', async ({ workspaceId, contacts }) => {
    const id = await know(workspaceId, { email: 'ada@engines.test' });
    const sentence = 'Keep at least one of name, email address and phone number.';
    expect(await errorsOf(contacts.update({ id, changes: { name: '', email: '' } }))).toEqual({
      name: [sentence],
    });
    expect(await row(id)).toMatchObject({ firstName: 'Ada', email: 'ada@engines.test' });
    expect(await contacts.update({ id, changes: { name: '', email: '', phone: '7' } })).toMatchObject({
      name: '7',
    });
  });

  test('cannot clear the last two fields in simultaneous requests', async ({ workspaceId, contacts }) => {
    for (let round = 0; round < 5; round += 1) {
      const id = await know(workspaceId, { email: `ada${round}@engines.test` });
      const outcomes = await Promise.allSettled([
        contacts.update({ id, changes: { name: '' } }),
        contacts.update({ id, changes: { email: '' } }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const { firstName, email } = await row(id);
      expect(firstName ?? email).not.toBeNull();
    }
  });

  test('can clear the name of a test contact', async ({ workspaceId, contacts }) => {
    const id = await know(workspaceId, { isTest: true });
    expect(await contacts.update({ id, changes: { name: '' } })).toMatchObject({ kind: 'saved' });
  });

  test('links a company by a new address when there is none, or the chosen company', async ({
    workspaceId,
    contacts,
  }) => {
    const engines = await makeCompany(workspaceId, 'Engines', {
      domains: { create: { domain: 'engines.test' } },
    });
    const other = await makeCompany(workspaceId, 'Other');
    const id = await know(workspaceId);
    const companyAfter = async (changes: Parameters<typeof contacts.update>[0]['changes']) => {
      await contacts.update({ id, changes });
      return (await row(id)).companyId;
    };
    expect(await companyAfter({ email: 'ada@engines.test' })).toBe(engines);
    expect(await companyAfter({ company: { id: other } })).toBe(other);
    expect(await companyAfter({ email: 'ada@else.test' })).toBe(other);
    expect(await companyAfter({ company: null, email: 'ada.l@engines.test' })).toBeNull();
    expect(await companyAfter({ city: 'London' })).toBeNull();
    expect(await companyAfter({ company: { name: 'engines' } })).toBe(engines);
  });

  test.for(['no id', '0193e1a0-0000-7000-8000-000000000001'])('%s is not found', async (id, { contacts }) => {
    expect(await errorsOf(contacts.update({ id, changes: { name: 'Eve' } }))).toBe(
      'The contact was not found.',
    );
    expect(await errorsOf(contacts.update({ id, changes: { name: '' } }))).toBe('The contact was not found.');
    expect(await contacts.form({ id })).toBeNull();
  });

  test('of another workspace is not found and changes nothing', async ({ workspaceId, contacts }) => {
    const abroad = await makeTeammates();
    const id = await know(workspaceId, { workspaceId: abroad.workspaceId });
    const before = await row(id);
    for (const changes of [{ name: 'Eve' }, { name: '' }, { company: null }, { company: { name: 'New' } }]) {
      expect(await errorsOf(contacts.update({ id, changes }))).toBe('The contact was not found.');
    }
    expect(await contacts.form({ id })).toBeNull();
    expect(await row(id)).toEqual(before);
  });
});

const know = async (workspaceId: string, columns: object = {}) =>
  (await db().contact.create({ data: { workspaceId, firstName: 'Ada', ...columns } })).id;

const makeCompany = async (workspaceId: string, name: string, columns: object = {}) =>
  (await db().company.create({ data: { workspaceId, name, ...columns } })).id;
const row = (id: string) => db().contact.findUniqueOrThrow({ where: { id } });
