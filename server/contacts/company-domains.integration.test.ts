import { describe, expect } from 'vitest';
import { DOMAINS_MAX } from '#server/contacts/change-company-domains.ts';
import { linkContacts } from '#server/contacts/link-company-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { type Companies, test } from '#test/fixtures/companies-test.ts';
import { companyOf, knowContact, knowContacts } from '#test/fixtures/company-contacts.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

describe('a company domain', () => {
  test.for([
    ['bücher.example', 'xn--bcher-kva.example', 'bücher.example'],
    ['MAIL.Example.com', 'mail.example.com', 'mail.example.com'],
  ] as const)(
    '%s is stored as %s, and shown, found and removed as %s',
    async ([typed, domain, shown], { companies }) => {
      const id = await make(companies);
      expect(await companies.addDomain({ id, domain: typed })).toEqual({ domain });
      expect((await companies.get({ id }))?.domains).toMatchObject([{ domain: shown }]);
      for (const search of [shown, domain])
        expect((await companies.list({ search })).rows).toMatchObject([{ id, domains: [shown] }]);
      expect(await companies.linkContacts({ id, domain: shown })).toEqual({ linked: 0, continues: false });
      await companies.removeDomain({ id, domain: shown });
      expect((await companies.get({ id }))?.domains).toEqual([]);
    },
  );

  test('is refused when it is invalid or a public mail provider', async ({ companies }) => {
    const id = await make(companies);
    for (const domain of ['', 'engines', 'ada@engines.test', 'https://engines.test']) {
      expect(await errorsOf(companies.addDomain({ id, domain }))).toEqual({
        domain: ['Enter the domain of their email addresses, for example example.com.'],
      });
    }
    expect(await errorsOf(companies.addDomain({ id, domain: 'GMail.com' }))).toEqual({
      domain: [
        'Anyone can have an address at gmail.com, so it does not identify a company. Choose the company on each contact instead.',
      ],
    });
    expect((await companies.get({ id }))?.domains).toEqual([]);
  });

  test('belongs to one company of a workspace, even after simultaneous requests', async ({ companies }) => {
    const [first, second] = [await make(companies, 'First'), await make(companies, 'Second')];
    const responses = await Promise.all(
      [first, second].map((id) => errorsOf(companies.addDomain({ id, domain: 'engines.test' }))),
    );
    const winner = responses[0] === undefined ? 'First' : 'Second';
    expect(responses.filter((response) => response !== undefined)).toEqual([
      {
        domain: [`The domain engines.test already belongs to ${winner}. Remove it there first.`],
      },
    ]);
    const [own, other] = winner === 'First' ? [first, second] : [second, first];
    expect(await errorsOf(companies.addDomain({ id: own, domain: 'engines.test' }))).toBeUndefined();
    await companies.removeDomain({ id: other, domain: 'engines.test' });
    await companies.removeDomain({ id: own, domain: 'engines.test' });
    await companies.addDomain({ id: other, domain: 'engines.test' });
    expect((await companies.get({ id: own }))?.domains).toEqual([]);
    const abroad = await makeTeammates();
    const theirs = (await (await signInTeammate(abroad.agent))()).companies;
    const { id } = await theirs.create({ name: 'First' });
    expect(await errorsOf(theirs.addDomain({ id, domain: 'engines.test' }))).toBeUndefined();
  });

  test('is refused after fifty per company', async ({ teammates, companies }) => {
    const id = await make(companies);
    const data = Array.from({ length: DOMAINS_MAX }, (_, at) => ({
      workspaceId: teammates.workspaceId,
      companyId: id,
      domain: `d${at}.test`,
    }));
    await db().companyDomain.createMany({ data });
    expect(await errorsOf(companies.addDomain({ id, domain: 'more.test' }))).toEqual({
      domain: ['A company can have up to 50 domains. Remove one first.'],
    });
  });
});

describe('linking existing contacts', () => {
  test('reports and links only contacts with the domain and without a company', async ({
    teammates,
    companies,
  }) => {
    const other = await make(companies, 'Other');
    const id = await make(companies);
    const ada = await knowContact(teammates.workspaceId, 'ada@engines.test');
    const bob = await knowContact(teammates.workspaceId, 'bob@engines.test', { companyId: other });
    const cy = await knowContact(teammates.workspaceId, 'cy@mail.engines.test');
    const nobody = await knowContact(teammates.workspaceId, null);
    const tested = await knowContact(teammates.workspaceId, 'test@engines.test', { isTest: true });
    const abroad = await makeTeammates();
    const far = await knowContact(teammates.workspaceId, 'far@engines.test', {
      workspaceId: abroad.workspaceId,
    });
    await companies.addDomain({ id, domain: 'engines.test' });
    expect((await companies.get({ id }))?.domains).toEqual([
      { domain: 'engines.test', unlinked: { count: 1, more: false } },
    ]);
    expect(await companies.linkContacts({ id, domain: 'engines.test' })).toEqual({
      linked: 1,
      continues: false,
    });
    expect(await Promise.all([ada, bob, cy, nobody, tested, far].map(companyOf))).toEqual([
      id,
      other,
      ...[null, null, null, null],
    ]);
    expect(await db().event.count({ where: { workspaceId: teammates.workspaceId } })).toBe(0);
  });

  test('continues in jobs for more than a thousand contacts', async ({ teammates, companies }) => {
    const id = await make(companies);
    await companies.addDomain({ id, domain: 'engines.test' });
    await knowContacts(teammates.workspaceId, { count: 2_300, domain: 'engines.test' });
    expect((await companies.get({ id }))?.domains[0]?.unlinked).toEqual({ count: 999, more: true });
    const which = { workspaceId: teammates.workspaceId, companyId: id, domain: 'engines.test' };
    expect(await companies.linkContacts({ id, domain: 'engines.test' })).toEqual({
      linked: 1_000,
      continues: true,
    });
    const jobs = (await queuedJobs()).filter(({ task }) => task === 'link-contacts');
    expect(jobs).toEqual([{ task: 'link-contacts', payload: which }]);
    await Promise.all([linkContacts(which), linkContacts(which)]);
    await linkContacts(which);
    expect(await db().contact.count({ where: { workspaceId: teammates.workspaceId, companyId: id } })).toBe(
      2_300,
    );
    expect(await linkContacts(which)).toEqual({ linked: 0, continues: false });
  });

  test('links no contact by a domain that the company does not have', async ({ teammates, companies }) => {
    const [id, other] = [await make(companies), await make(companies, 'Other')];
    await companies.addDomain({ id: other, domain: 'engines.test' });
    const ada = await knowContact(teammates.workspaceId, 'ada@engines.test');
    expect(await companies.linkContacts({ id, domain: 'engines.test' })).toMatchObject({ linked: 0 });
    await companies.delete({ id: other });
    expect(await companies.linkContacts({ id: other, domain: 'engines.test' })).toMatchObject({ linked: 0 });
    expect(await companyOf(ada)).toBeNull();
  });
});

const make = async (companies: Companies, name = 'Engines') => (await companies.create({ name })).id;
