import { describe, expect } from 'vitest';
import { DOMAINS_MAX } from '#server/contacts/change-company-domains.ts';
import { db } from '#server/core/database/prisma.ts';
import { VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { type Companies, test } from '#test/fixtures/companies-test.ts';
import { companyOf, knowContact } from '#test/fixtures/company-contacts.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

describe('a new company', () => {
  test('links contacts that the platform creates with an address of its domain', async ({
    service,
    teammates,
    companies,
  }) => {
    const api = await connect(service, teammates);
    const id = await make(companies, ' Analytical Engines ');
    await companies.addDomain({ id, domain: ' Engines.Test. ' });
    const created = await api('POST', '/contacts', { email: 'ADA@engines.test' });
    expect(created).toMatchObject({
      status: 201,
      body: { company: { id, name: 'Analytical Engines' } },
    });
    const elsewhere = await api('POST', '/contacts', { email: 'eve@mail.engines.test' });
    expect(elsewhere.body).toMatchObject({ company: null });
    expect(await companies.get({ id })).toEqual({
      id,
      name: 'Analytical Engines',
      domains: [{ domain: 'engines.test', unlinked: { count: 0, more: false } }],
      domainsMax: DOMAINS_MAX,
      contacts: { count: 1, more: false },
      mayChange: true,
    });
  });

  test('has a name of at most 160 characters that no other company of the workspace has', async ({
    companies,
  }) => {
    await make(companies, 'Engines');
    const taken = { name: ['There is already a company called Engines. Choose another name.'] };
    expect(await errorsOf(companies.create({ name: ' ENGINES' }))).toEqual(taken);
    expect(await errorsOf(companies.create({ name: ' ' }))).toEqual({
      name: ['Enter the company name.'],
    });
    expect(await errorsOf(companies.create({ name: 'x'.repeat(161) }))).toEqual({
      name: ['The company name must be at most 160 characters.'],
    });
    const id = await make(companies, 'x'.repeat(160));
    expect(await errorsOf(companies.rename({ id, name: 'engines' }))).toEqual(taken);
    await companies.rename({ id, name: 'X'.repeat(160) });
    expect(await names(companies)).toEqual(['Engines', 'X'.repeat(160)]);
  });

  test('is created once by simultaneous requests, in the list or with a contact', async ({
    screensOf,
    companies,
  }) => {
    const { contacts } = await screensOf('agent');
    await Promise.allSettled([
      companies.create({ name: 'Engines' }),
      contacts.create({ name: 'Ada', company: { name: 'ENGINES' } }),
      companies.create({ name: 'engines' }),
    ]);
    expect(await names(companies)).toHaveLength(1);
  });
});

describe('the list of companies', () => {
  test('is sorted by name ignoring case, with domains and contact counts, page by page', async ({
    teammates,
    companies,
  }) => {
    const data = Array.from({ length: 60 }, (_, at) => ({
      workspaceId: teammates.workspaceId,
      name: `N${String(at).padStart(2, '0')}`,
    }));
    await db().company.createMany({ data });
    const id = await make(companies, 'alpha');
    for (const domain of ['d.test', 'c.test', 'b.test', 'a.test']) await companies.addDomain({ id, domain });
    await knowContact(teammates.workspaceId, 'ada@a.test', { companyId: id });
    await make(companies, 'Beta');
    const first = await companies.list({});
    expect(first.rows).toHaveLength(50);
    expect(first.rows[0]).toEqual({
      id,
      name: 'alpha',
      domains: ['a.test', 'b.test', 'c.test'],
      domainsCount: 4,
      contacts: { count: 1, more: false },
    });
    const second = await companies.list({ cursor: first.nextCursor ?? '' });
    const all = [...first.rows, ...second.rows].map(({ name }) => name);
    expect(all).toEqual(['alpha', 'Beta', ...data.map(({ name }) => name)]);
    expect(second.nextCursor).toBeNull();
    expect((await companies.list({ cursor: 'made up' })).rows).toHaveLength(50);
  });

  test('is searched by name and domain, within the workspace', async ({ companies }) => {
    const id = await make(companies, '100% Engines');
    await companies.addDomain({ id, domain: 'ada.test' });
    await make(companies, 'Northwind');
    const abroad = await makeTeammates();
    await (await (await signInTeammate(abroad.agent))()).companies.create({ name: 'Engines' });
    expect(await names(companies, 'engines')).toEqual(['100% Engines']);
    expect(await names(companies, 'ADA.')).toEqual(['100% Engines']);
    expect(await names(companies, '0%')).toEqual(['100% Engines']);
    expect(await names(companies, '_')).toEqual([]);
    expect(await names(companies, '\0')).toEqual([]);
    expect(await names(companies, ' ')).toHaveLength(2);
  });
});

describe('roles', () => {
  test('an attacker who is a viewer sees companies and cannot change them', async ({
    screensOf,
    companies,
  }) => {
    const id = await make(companies);
    const theirs = (await screensOf('viewer')).companies;
    expect(await theirs.get({ id })).toMatchObject({ mayChange: false });
    const domain = 'engines.test';
    for (const attempt of [
      () => theirs.create({ name: 'Mine' }),
      () => theirs.rename({ id, name: 'Mine' }),
      () => theirs.addDomain({ id, domain }),
      () => theirs.removeDomain({ id, domain }),
      () => theirs.linkContacts({ id, domain }),
      () => theirs.delete({ id }),
    ]) {
      expect(await errorsOf(attempt())).toBe(VIEWERS_READ_ONLY);
    }
    expect(await names(companies)).toEqual(['Engines']);
  });

  test.for(['owner', 'admin', 'agent'] as const)(
    'an %s can change companies',
    async (role, { screensOf }) => {
      const theirs = (await screensOf(role)).companies;
      const { id } = await theirs.create({ name: 'Engines' });
      await theirs.rename({ id, name: 'Better Engines' });
      await theirs.delete({ id });
    },
  );

  test('an attacker who owns another workspace finds no company by its id', async ({
    teammates,
    companies,
  }) => {
    const id = await make(companies);
    await companies.addDomain({ id, domain: 'engines.test' });
    const ada = await knowContact(teammates.workspaceId, 'ada@engines.test');
    const abroad = await makeTeammates();
    const theirs = (await (await signInTeammate(abroad.owner))()).companies;
    for (const which of [id, 'no-uuid']) {
      expect(await theirs.get({ id: which })).toBeNull();
      expect(await errorsOf(theirs.rename({ id: which, name: 'Mine' }))).toBe(NOT_FOUND);
      expect(await errorsOf(theirs.addDomain({ id: which, domain: 'mine.test' }))).toBe(NOT_FOUND);
      expect(await errorsOf(theirs.removeDomain({ id: which, domain: 'engines.test' }))).toBe(NOT_FOUND);
      expect(await errorsOf(theirs.delete({ id: which }))).toBe(NOT_FOUND);
      expect(await theirs.linkContacts({ id: which, domain: 'engines.test' })).toMatchObject({ linked: 0 });
    }
    expect((await theirs.list({})).rows).toEqual([]);
    expect((await companies.get({ id }))?.domains).toMatchObject([{ domain: 'engines.test' }]);
    expect(await companyOf(ada)).toBeNull();
  });
});

const NOT_FOUND = 'The company was not found.';
const make = async (companies: Companies, name = 'Engines') => (await companies.create({ name })).id;

const names = async (companies: Companies, search?: string) =>
  (await companies.list(search === undefined ? {} : { search })).rows.map(({ name }) => name);

async function connect(service: { url: string }, teammates: Teammates) {
  const { accessToken } = await makeConnection({
    workspaceId: teammates.workspaceId,
    teammate: teammates.owner,
  });
  return apiClient(service.url, accessToken);
}
