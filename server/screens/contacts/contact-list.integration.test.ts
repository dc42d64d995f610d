import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { screensFor } from '#server/screens/router.ts';
import { addContact, allRows, idsOf, makeCompany } from '#test/fixtures/contact-list.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';

const test = screensTest.extend('contacts', async ({ screensOf }) => (await screensOf('viewer')).contacts);

describe('the list of contacts', () => {
  test('is sorted newest first and shows name, address, phone and company', async ({
    workspaceId,
    contacts,
  }) => {
    const companyId = await makeCompany(workspaceId, 'Engines');
    const ada = await addContact(workspaceId, {
      lastName: 'Lovelace',
      email: 'ada@engines.test',
      phone: '+44 7',
      companyId,
    });
    const bob = await addContact(workspaceId, { firstName: null, email: 'bob@engines.test' });
    const { rows, nextCursor } = await contacts.list({});
    expect(idsOf({ rows })).toEqual([bob, ada]);
    expect(nextCursor).toBeNull();
    const createdAt = expect.any(Date);
    expect(rows).toEqual([
      {
        id: bob,
        name: null,
        email: 'bob@engines.test',
        claimedEmail: null,
        phone: null,
        companyName: null,
        createdAt,
      },
      {
        id: ada,
        name: 'Ada Lovelace',
        email: 'ada@engines.test',
        claimedEmail: null,
        phone: '+44 7',
        companyName: 'Engines',
        createdAt,
      },
    ]);
  });

  test('finds and shows an address that a contact claims', async ({ workspaceId, contacts }) => {
    const eve = await addContact(workspaceId, { claimedEmail: 'eve@bank.test' });
    await addContact(workspaceId);
    for (const search of ['eve@bank.test', 'bank']) {
      const { rows } = await contacts.list({ search });
      expect(rows).toMatchObject([{ id: eve, email: null, claimedEmail: 'eve@bank.test' }]);
    }
    expect(await contacts.get({ id: eve })).toMatchObject({
      email: null,
      claimedEmail: 'eve@bank.test',
    });
  });

  test('excludes contacts of another workspace and of AI agent tests', async ({ workspaceId, contacts }) => {
    const abroad = await makeTeammates();
    await addContact(workspaceId, { workspaceId: abroad.workspaceId });
    await addContact(workspaceId, { isTest: true });
    const here = await addContact(workspaceId);
    expect(idsOf(await contacts.list({}))).toEqual([here]);
    expect(await found(contacts, 'ada')).toEqual([here]);
    expect(
      await contacts.get({
        id: (await db().contact.findFirstOrThrow({ where: { workspaceId: abroad.workspaceId } })).id,
      }),
    ).toBeNull();
  });

  test('pages miss and repeat no contact, although timestamps are equal and contacts are added in between', async ({
    workspaceId,
    contacts,
  }) => {
    const timestamps = Array.from(
      { length: 130 },
      (_, i) => `2026-01-01T00:00:0${Math.floor(i / 30)}.000${i % 3}Z`,
    );
    // As text, because the database stores microseconds and JavaScript milliseconds.
    await db().$executeRaw`
      insert into contacts (id, workspace_id, first_name, created_at)
      select gen_random_uuid(), ${workspaceId}::uuid, 'Ada', m::timestamptz from unnest(${timestamps}::text[]) m`;
    const all = await db().$queryRaw<{ id: string }[]>`
      select id from contacts where workspace_id = ${workspaceId}::uuid order by created_at desc, id desc`;
    const newcomer = () => addContact(workspaceId, { createdAt: new Date() });
    expect(await allRows((cursor) => contacts.list({ cursor }), newcomer)).toEqual(all.map(({ id }) => id));
    const searched = await allRows((cursor) => contacts.list({ cursor, search: 'ada' }), newcomer);
    expect(searched.slice(2)).toEqual(all.map(({ id }) => id));
  });

  test('of one company shows only its contacts, also when searched', async ({ workspaceId, contacts }) => {
    const companyId = await makeCompany(workspaceId, 'Engines');
    const [ada, bob] = [
      await addContact(workspaceId, { companyId }),
      await addContact(workspaceId, { companyId, firstName: 'Bob' }),
    ];
    await addContact(workspaceId);
    expect(idsOf(await contacts.list({ companyId }))).toEqual([bob, ada]);
    expect(idsOf(await contacts.list({ companyId, search: 'bob' }))).toEqual([bob]);
    expect(await contacts.company({ id: companyId })).toEqual({ id: companyId, name: 'Engines' });
  });

  test('of an unknown company or another workspace’s is empty', async ({ workspaceId, contacts }) => {
    const abroad = await makeTeammates();
    const theirs = await makeCompany(abroad.workspaceId, 'Abroad');
    await addContact(workspaceId, { workspaceId: abroad.workspaceId, companyId: theirs });
    for (const companyId of [theirs, 'no such', '']) {
      expect((await contacts.list({ companyId })).rows).toEqual([]);
      expect(await contacts.company({ id: companyId })).toBeNull();
    }
  });

  test('starts at the newest contact for an invalid cursor', async ({ workspaceId, contacts }) => {
    const id = await addContact(workspaceId);
    expect(idsOf(await contacts.list({ cursor: "'; drop table contacts" }))).toEqual([id]);
  });
});

describe('a search', () => {
  test.for([
    'lovelace',
    'LOVE',
    'ada love',
    'Lovelace Ada',
    'ada.lovelace@engines.test',
    'lovelace@engines',
    'engines.test',
    '+44 20 7946-0018',
    '442079460018',
    '44207946',
    '7946',
    '(44) 20 7946 0018',
    'tallow',
    'rye bak',
    '& Rye',
  ])(
    'for %j finds the contact by name, address, phone or company',
    async (search, { workspaceId, contacts }) => {
      const companyId = await makeCompany(workspaceId, 'Tallow & Rye Bakery');
      const ada = await addContact(workspaceId, {
        lastName: 'Lovelace',
        email: 'ada.lovelace@engines.test',
        phone: '+44 20 7946 0018',
        companyId,
      });
      await addContact(workspaceId, {
        firstName: 'Bob',
        lastName: 'Unknown',
        email: 'bob@else.example',
        phone: '+49 30 1',
      });
      expect(await found(contacts, search)).toEqual([ada]);
    },
  );

  test.for(['@', '%', '\\', "'", '*:*', 'lovelacf', 'ada bob', '0018 0018 9', 'w:'])(
    'for %j finds no one',
    async (search, { workspaceId, contacts }) => {
      await addContact(workspaceId, {
        lastName: 'Lovelace',
        email: 'ada@engines.test',
        phone: '+44 20 7946 0018',
      });
      await addContact(workspaceId, { firstName: 'Bob' });
      expect(await found(contacts, search)).toEqual([]);
    },
  );

  // PostgreSQL reads 1e07b as the number 1e07 and the word b.
  test.for(['1e07b@engines.test', '1e07b@engines', '1e07b'])(
    'for %j finds an address that PostgreSQL splits',
    async (search, { workspaceId, contacts }) => {
      const ada = await addContact(workspaceId, { email: '1e07b@engines.test' });
      expect(await found(contacts, search)).toEqual([ada]);
    },
  );

  test('that is blank lists everyone', async ({ workspaceId, contacts }) => {
    const id = await addContact(workspaceId);
    expect(await found(contacts, '  ')).toEqual([id]);
  });

  test('finds contacts of a company with the word in its name and contacts with the word, newest first', async ({
    workspaceId,
    contacts,
  }) => {
    const companyId = await makeCompany(workspaceId, 'Bakery of Ada');
    const carl = await addContact(workspaceId, { firstName: 'Carl', companyId });
    const ada = await addContact(workspaceId, { companyId });
    const other = await addContact(workspaceId, { email: 'ada@else.example', firstName: null });
    expect(await found(contacts, 'ada')).toEqual([other, ada, carl]);
  });
});

const found = async (contacts: Contacts, search: string) => idsOf(await contacts.list({ search }));

type Contacts = Awaited<ReturnType<typeof screensFor>>['contacts'];
