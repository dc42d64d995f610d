import { describe, expect } from 'vitest';
import { createContact } from '#server/contacts/create-contact.ts';
import { removeCompany } from '#server/contacts/delete-company.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { type Companies, test } from '#test/fixtures/companies-test.ts';
import { companyOf, knowContact, knowContacts } from '#test/fixtures/company-contacts.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import type { Teammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

describe('a deleted company', () => {
  test('leaves its contacts without a company, frees its domains and name, and writes an audit entry', async ({
    service,
    teammates,
    companies,
  }) => {
    const api = await connect(service, teammates);
    const id = await make(companies);
    await companies.addDomain({ id, domain: 'engines.test' });
    const { body } = await api('POST', '/contacts', { email: 'ada@engines.test' });
    await companies.delete({ id });
    expect(await db().company.count({ where: { workspaceId: teammates.workspaceId } })).toBe(0);
    const found = await api('GET', '/contacts/search?email=ada@engines.test');
    expect(found.body).toEqual([{ ...Object(body), company: null }]);
    expect(await companies.get({ id })).toBeNull();
    expect(await errorsOf(companies.delete({ id }))).toBe(NOT_FOUND);
    expect(
      await db().auditEntry.findMany({
        where: { workspaceId: teammates.workspaceId, kind: 'company_deleted' },
      }),
    ).toMatchObject([{ userId: teammates.agent.id, data: { companyId: id, companyName: 'Engines' } }]);
    const again = await make(companies);
    await companies.addDomain({ id: again, domain: 'engines.test' });
  });

  test('disappears immediately, and a repeatable job unlinks its thousands of contacts', async ({
    service,
    teammates,
    screensOf,
    companies,
  }) => {
    const api = await connect(service, teammates);
    const id = await make(companies);
    await companies.addDomain({ id, domain: 'engines.test' });
    await knowContacts(teammates.workspaceId, {
      count: 2_300,
      domain: 'engines.test',
      companyId: id,
      phone: '7',
      phoneDigits: '7',
    });
    await companies.delete({ id });
    const left = await db().contact.findFirstOrThrow({
      where: { workspaceId: teammates.workspaceId, companyId: id },
    });
    const shown = await api('GET', `/contacts/search?email=${left.email}`);
    expect(shown.body).toMatchObject([{ id: left.id, company: null }]);
    expect((await api('PATCH', `/contacts/${left.id}`, { city: 'Oslo' })).body).toMatchObject({
      company: null,
    });
    expect((await api('POST', '/contacts', { email: 'new@engines.test' })).body).toMatchObject({
      company: null,
    });
    const { contacts } = await screensOf('agent');
    expect(await contacts.get({ id: left.id })).toMatchObject({ company: null, colleagues: 0 });
    expect(await contacts.company({ id })).toBeNull();
    expect((await contacts.list({ search: left.email ?? '' })).rows).toMatchObject([{ companyName: null }]);
    expect((await contacts.list({ search: 'engines' })).rows.every((row) => !row.companyName)).toBe(true);
    expect(await contacts.form({})).toMatchObject({ companies: { rows: [] } });
    expect(await errorsOf(contacts.create({ name: 'Eve', company: { id } }))).toEqual({
      company: ['This company was deleted. Choose another one.'],
    });
    expect(await companies.list({})).toMatchObject({ rows: [] });

    const jobs = async () => (await queuedJobs()).filter(({ task }) => task === 'remove-company');
    expect(await jobs()).toEqual([{ task: 'remove-company', payload: { companyId: id } }]);
    await removeCompany(id, 0);
    expect(await jobs()).toHaveLength(2);
    await Promise.all([removeCompany(id), removeCompany(id)]);
    expect(await db().company.count({ where: { id } })).toBe(0);
    expect(await db().contact.count({ where: { workspaceId: teammates.workspaceId, companyId: null } })).toBe(
      2_301,
    );
  });

  test('is only removed by its job if it was deleted', async ({ teammates, companies }) => {
    const id = await make(companies);
    const ada = await knowContact(teammates.workspaceId, null, { companyId: id });
    await removeCompany(id);
    expect(await companyOf(ada)).toBe(id);
  });

  test.for([
    [
      'created',
      async (workspaceId: string) =>
        planAndWrite((tx) =>
          createContact(tx, {
            workspaceId,
            actor: { kind: 'automatic' },
            fields: { email: 'ada@engines.test' },
          }),
        ),
    ],
    [
      'given an address of its domain',
      async (workspaceId: string) =>
        updateContact({
          workspaceId,
          id: await knowContact(workspaceId, null),
          actor: { kind: 'automatic' },
          fields: { email: 'ada@engines.test' },
        }),
    ],
  ] as const)(
    'is not linked to a contact that is %s during the deletion',
    async ([_what, change], { teammates, companies }) => {
      const id = await make(companies);
      await companies.addDomain({ id, domain: 'engines.test' });
      const holder = await pool().connect();
      await holder.query('begin');
      await holder.query('delete from company_domains where company_id = $1', [id]);
      await holder.query('delete from companies where id = $1', [id]);
      const changed = change(teammates.workspaceId);
      await until('the change waits for the lock', async () => (await countLockWaiters()) === 1);
      await holder.query('commit');
      holder.release();
      expect(await changed).toMatchObject({ email: 'ada@engines.test', company: null });
    },
  );
});

const NOT_FOUND = 'The company was not found.';
const make = async (companies: Companies, name = 'Engines') => (await companies.create({ name })).id;

async function connect(service: { url: string }, teammates: Teammates) {
  const { accessToken } = await makeConnection({
    workspaceId: teammates.workspaceId,
    teammate: teammates.owner,
  });
  return apiClient(service.url, accessToken);
}
