import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('companies', { auto: true }, ({ connection }) => makeCompanies(connection));

describe('a new contact', () => {
  test('belongs to the company with the domain, in any case and by any of its domains', async ({
    api,
    companies,
  }) => {
    expect(await create(api, { email: 'ada@engines.test' })).toEqual(companies.engines);
    expect(await create(api, { email: 'BOB@Engines.Example' })).toEqual(companies.engines);
    expect(await create(api, { email: 'carl@northwind.test' })).toEqual(companies.northwind);
  });

  test.for([
    { email: 'ada@unknown.test' },
    { email: 'ada@sub.engines.test' },
    { email: 'ada@notengines.test' },
    { email: 'ada@engines.test.example' },
    { email: 'engines.test@unknown.test' },
    { email: 'ada@abroad.test' },
    { name: 'Engines', phone: '7' },
  ])('with %j belongs to no company', async (input, { api }) => {
    expect(await create(api, input)).toBeNull();
  });
});

describe('a known contact', () => {
  test('without a company is linked when its address changes', async ({ api, connection, companies }) => {
    expect(await update(api, await know(connection, {}), { email: 'ada@engines.test' })).toEqual(
      companies.engines,
    );
    const moved = await know(connection, { email: 'bob@unknown.test' });
    expect(await update(api, moved, { email: 'BOB@northwind.test', city: 'Oslo' })).toEqual(
      companies.northwind,
    );
  });

  test('with a company keeps it when the new domain belongs to another company or to none', async ({
    api,
    connection,
    companies,
  }) => {
    const id = await know(connection, { email: 'ada@engines.test', companyId: companies.engines.id });
    expect(await update(api, id, { email: 'ada@northwind.test' })).toEqual(companies.engines);
    expect(await update(api, id, { email: 'ada@unknown.test' })).toEqual(companies.engines);
    expect(await update(api, id, { city: 'London' })).toEqual(companies.engines);
  });

  test('without a company is not linked when the address is unchanged or of no company', async ({
    api,
    connection,
  }) => {
    const id = await know(connection, { email: 'ada@engines.test' });
    expect(await update(api, id, { city: 'London' })).toBeNull();
    expect(await update(api, id, { email: 'ADA@engines.test' })).toBeNull();
    for (const email of ['ada@unknown.test', 'ada@abroad.test', 'ada@sub.engines.test']) {
      expect(await update(api, id, { email })).toBeNull();
    }
  });

  test('is not linked by an address that another contact has', async ({ api, connection }) => {
    await know(connection, { email: 'taken@engines.test' });
    const id = await know(connection, { email: 'ada@unknown.test' });
    expect((await api('PATCH', `/contacts/${id}`, { email: 'taken@engines.test' })).status).toBe(422);
    const { companyId, email } = await db().contact.findUniqueOrThrow({ where: { id } });
    expect({ companyId, email }).toEqual({ companyId: null, email: 'ada@unknown.test' });
  });

  test('gets one address and one company when two companies’ addresses are set simultaneously', async ({
    api,
    connection,
    companies,
  }) => {
    const id = await know(connection, {});
    const found = await Promise.all([
      update(api, id, { email: 'ada@engines.test' }),
      update(api, id, { email: 'ada@northwind.test' }),
    ]);
    expect(found[0]).toEqual(found[1]);
    expect([companies.engines, companies.northwind]).toContainEqual(found[0]);
  });
});

test('a search shows the company', async ({ api, connection, companies }) => {
  const id = await know(connection, { email: 'ada@engines.test', companyId: companies.engines.id });
  const { body } = await api('GET', '/contacts/search?email=ada@engines.test');
  expect(body).toMatchObject([{ id, company: companies.engines }]);
});

type Company = { id: string; name: string };

async function makeCompany(workspaceId: string, name: string, ...domains: string[]): Promise<Company> {
  const create = domains.map((domain) => ({ domain }));
  const { id } = await db().company.create({ data: { workspaceId, name, domains: { create } } });
  return { id, name };
}

const know = async ({ workspaceId }: { workspaceId: string }, data: object) =>
  (await db().contact.create({ data: { workspaceId, firstName: 'Ada', ...data } })).id;

const companyAfter = async (
  api: ReturnType<typeof apiClient>,
  method: string,
  path: string,
  body: object,
) => {
  const response = await api(method, path, body);
  expect(response.status).toBe(method === 'POST' ? 201 : 200);
  return (response.body as { company: Company | null }).company;
};

const create = (api: ReturnType<typeof apiClient>, body: object) =>
  companyAfter(api, 'POST', '/contacts', body);
const update = (api: ReturnType<typeof apiClient>, id: string, body: object) =>
  companyAfter(api, 'PATCH', `/contacts/${id}`, body);

/** Creates two companies of a workspace, and one of another workspace. */
async function makeCompanies({ workspaceId }: { workspaceId: string }) {
  const engines = await makeCompany(workspaceId, 'Engines', 'engines.test', 'engines.example');
  const northwind = await makeCompany(workspaceId, 'Northwind', 'northwind.test');
  await makeCompany((await makeConnection()).workspaceId, 'Abroad', 'abroad.test');
  return { engines, northwind };
}
