import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

type Company = { id: string; name: string };

const service = withTestService();
let workspaceId: string;
let api: ReturnType<typeof apiClient>;
let engines: Company;
let northwind: Company;
beforeEach(async () => {
  const connection = await makeConnection();
  workspaceId = connection.workspaceId;
  api = apiClient(service.url, connection.accessToken);
  engines = await makeCompany(workspaceId, 'Engines', 'engines.test', 'engines.example');
  northwind = await makeCompany(workspaceId, 'Northwind', 'northwind.test');
  await makeCompany((await makeConnection()).workspaceId, 'Abroad', 'abroad.test');
});

async function makeCompany(workspaceId: string, name: string, ...domains: string[]): Promise<Company> {
  const create = domains.map((domain) => ({ domain }));
  const { id } = await db().company.create({ data: { workspaceId, name, domains: { create } } });
  return { id, name };
}

const know = async (data: object) =>
  (await db().contact.create({ data: { workspaceId, firstName: 'Ada', ...data } })).id;
const companyAfter = async (method: string, path: string, body: object) => {
  const response = await api(method, path, body);
  expect(response.status).toBe(method === 'POST' ? 201 : 200);
  return (response.body as { company: Company | null }).company;
};
const create = (body: object) => companyAfter('POST', '/contacts', body);
const update = (id: string, body: object) => companyAfter('PATCH', `/contacts/${id}`, body);

describe('a new contact', () => {
  test('belongs to the company with the domain, in any case and by any of its domains', async () => {
    expect(await create({ email: 'ada@engines.test' })).toEqual(engines);
    expect(await create({ email: 'BOB@Engines.Example' })).toEqual(engines);
    expect(await create({ email: 'carl@northwind.test' })).toEqual(northwind);
  });

  test.each([
    { email: 'ada@unknown.test' },
    { email: 'ada@sub.engines.test' },
    { email: 'ada@notengines.test' },
    { email: 'ada@engines.test.example' },
    { email: 'engines.test@unknown.test' },
    { email: 'ada@abroad.test' },
    { name: 'Engines', phone: '7' },
  ])('with %j belongs to no company', async (given) => {
    expect(await create(given)).toBeNull();
  });
});

describe('a known contact', () => {
  test('without a company is linked when its address changes', async () => {
    expect(await update(await know({}), { email: 'ada@engines.test' })).toEqual(engines);
    const moved = await know({ email: 'bob@unknown.test' });
    expect(await update(moved, { email: 'BOB@northwind.test', city: 'Oslo' })).toEqual(northwind);
  });

  test('with a company keeps it when the new domain belongs to another company or to none', async () => {
    const id = await know({ email: 'ada@engines.test', companyId: engines.id });
    expect(await update(id, { email: 'ada@northwind.test' })).toEqual(engines);
    expect(await update(id, { email: 'ada@unknown.test' })).toEqual(engines);
    expect(await update(id, { city: 'London' })).toEqual(engines);
  });

  test('without a company is not linked when the address is unchanged or of no company', async () => {
    const id = await know({ email: 'ada@engines.test' });
    expect(await update(id, { city: 'London' })).toBeNull();
    expect(await update(id, { email: 'ADA@engines.test' })).toBeNull();
    for (const email of ['ada@unknown.test', 'ada@abroad.test', 'ada@sub.engines.test']) {
      expect(await update(id, { email })).toBeNull();
    }
  });

  test('is not linked by an address that another contact has', async () => {
    await know({ email: 'taken@engines.test' });
    const id = await know({ email: 'ada@unknown.test' });
    expect((await api('PATCH', `/contacts/${id}`, { email: 'taken@engines.test' })).status).toBe(422);
    const { companyId, email } = await db().contact.findUniqueOrThrow({ where: { id } });
    expect({ companyId, email }).toEqual({ companyId: null, email: 'ada@unknown.test' });
  });

  test('gets one address and one company when two companies’ addresses are set simultaneously', async () => {
    const id = await know({});
    const found = await Promise.all([
      update(id, { email: 'ada@engines.test' }),
      update(id, { email: 'ada@northwind.test' }),
    ]);
    expect(found[0]).toEqual(found[1]);
    expect([engines, northwind]).toContainEqual(found[0]);
  });
});

test('a search shows the company', async () => {
  const id = await know({ email: 'ada@engines.test', companyId: engines.id });
  const { body } = await api('GET', '/contacts/search?email=ada@engines.test');
  expect(body).toMatchObject([{ id, company: engines }]);
});
