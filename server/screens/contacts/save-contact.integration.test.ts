import { Client } from 'pg';
import { describe, expect } from 'vitest';
import { updateContact } from '#server/contacts/update-contact.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { flushPublished, LIVE_CHANNEL } from '#server/core/live/publish.ts';
import { VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

const test = screensTest.extend('contacts', async ({ screensOf }) => (await screensOf('agent')).contacts);

describe('creating a contact', () => {
  test('has the same result as the API, and emits contact.created', async ({
    api,
    workspaceId,
    contacts,
  }) => {
    const typed = {
      name: ' Ada King Lovelace ',
      email: ' ADA@Engines.test',
      phone: '+44 20',
      city: 'London',
      language: 'en',
    };
    const saved = await contacts.create(typed);
    expect(saved).toEqual({ kind: 'saved', id: expect.any(String), name: 'Ada King Lovelace' });
    const { body } = await api('GET', '/contacts/search?email=ada@engines.test');
    const events = await recordedEventsOf(workspaceId, 'contact.created');
    expect(events.map(({ contact }) => contact)).toEqual(body);
    expect(body).toMatchObject([
      { first_name: 'Ada', last_name: 'King Lovelace', phone: '+44 20', city: 'London', language: 'en' },
    ]);
  });

  test('reports the owner of an email address that is in use', async ({ workspaceId, contacts }) => {
    const id = await know(workspaceId, { lastName: 'Lovelace', email: 'ada@engines.test' });
    const before = await allContacts(workspaceId);
    expect(
      await contacts.create({ name: 'Eve', email: 'ADA@engines.test', company: { name: 'New' } }),
    ).toEqual({
      kind: 'email_taken',
      sentence: 'This address already belongs to Ada Lovelace.',
      owner: { id, name: 'Ada Lovelace' },
    });
    expect(await allContacts(workspaceId)).toEqual(before);
    expect(await db().company.count({ where: { workspaceId } })).toBe(0);
  });

  test('names an owner without a name by the address', async ({ workspaceId, contacts }) => {
    const id = await know(workspaceId, { firstName: null, email: 'ada@engines.test' });
    expect(await contacts.create({ email: 'ada@engines.test' })).toMatchObject({
      owner: { id, name: 'ada@engines.test' },
    });
  });

  test('accepts an address that another workspace has', async ({ workspaceId, contacts }) => {
    const abroad = await makeTeammates();
    await know(workspaceId, { workspaceId: abroad.workspaceId, email: 'ada@engines.test' });
    expect(await contacts.create({ email: 'ada@engines.test' })).toMatchObject({ kind: 'saved' });
  });

  test('is refused without name, email address and phone number', async ({ workspaceId, contacts }) => {
    const sentence = 'Give at least one of name, email address and phone number.';
    expect(await errorsOf(contacts.create({ city: 'London', name: ' ', company: { name: 'New' } }))).toEqual({
      name: [sentence],
    });
    expect(await allContacts(workspaceId)).toEqual([]);
  });
});

describe('the company of a new contact', () => {
  test('follows the email address unless another or no company is chosen', async ({
    workspaceId,
    contacts,
  }) => {
    const engines = await makeCompany(workspaceId, 'Engines', {
      domains: { create: { domain: 'engines.test' } },
    });
    const other = await makeCompany(workspaceId, 'Other');
    const make = async (company?: Parameters<typeof contacts.create>[0]['company']) => {
      const email = `${Math.random()}@engines.test`;
      const saved = await contacts.create({ email, ...(company === undefined ? {} : { company }) });
      return saved.kind === 'saved' ? (await row(saved.id)).companyId : saved;
    };
    expect(await make()).toBe(engines);
    expect(await make({ id: other })).toBe(other);
    expect(await make(null)).toBeNull();
  });

  test('can be new, or an existing company by name in any case', async ({ workspaceId, contacts }) => {
    const other = await makeCompany(workspaceId, 'Northwind');
    for (const name of ['northwind', ' NORTHWIND '])
      await contacts.create({ name: 'Ada', company: { name } });
    expect((await allContacts(workspaceId)).map(({ companyId }) => companyId)).toEqual([other, other]);
    await Promise.all(
      Array.from({ length: 5 }, () => contacts.create({ name: 'Bob', company: { name: 'New' } })),
    );
    expect(await db().company.count({ where: { workspaceId, name: 'New' } })).toBe(1);
  });

  test('cannot be one of another workspace', async ({ workspaceId, contacts }) => {
    const abroad = await makeTeammates();
    const theirs = await makeCompany(workspaceId, 'Abroad', { workspaceId: abroad.workspaceId });
    for (const id of [theirs, 'no id']) {
      expect(await errorsOf(contacts.create({ name: 'Ada', company: { id } }))).toEqual({
        company: ['This company was deleted. Choose another one.'],
      });
    }
    expect(await contacts.create({ name: 'Ada', company: { name: 'Abroad' } })).toMatchObject({
      kind: 'saved',
    });
    expect((await allContacts(workspaceId)).map(({ companyId }) => companyId)).not.toContain(theirs);
  });
});

const KNOWN = {
  lastName: 'Lovelace',
  email: 'ada@engines.test',
  phone: '+44 20',
  phoneDigits: '4420',
  city: 'London',
  language: 'en',
};

test('an empty value in the API leaves the field unchanged', async ({ api, workspaceId }) => {
  const id = await know(workspaceId, KNOWN);
  const before = await row(id);
  const body = {
    name: '',
    email: null,
    phone: ' ',
    city: '',
    language: null,
    empty: ['city'],
    company: null,
  };
  expect((await api('PATCH', `/contacts/${id}`, body)).status).toBe(200);
  expect(await row(id)).toEqual(before);
});

test('a field that is both cleared and given has the given value', async ({ workspaceId }) => {
  const id = await know(workspaceId, KNOWN);
  await updateContact({
    workspaceId,
    id,
    actor: { kind: 'automatic' },
    fields: { city: 'Oslo' },
    empty: ['city', 'phone'],
  });
  expect(await row(id)).toMatchObject({ city: 'Oslo', phone: null, phoneDigits: null });
});

test('open pages are notified of successful changes by anyone, and not of refused ones', async ({
  workspaceId,
  contacts,
}) => {
  const id = await know(workspaceId, KNOWN);
  await know(workspaceId, { email: 'taken@engines.test' });
  const listener = new Client({ connectionString: settings().DATABASE_URL });
  await listener.connect();
  const heard: unknown[] = [];
  listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? 'null')));
  await listener.query(`listen ${LIVE_CHANNEL}`);
  const published = () => heard.filter((message) => JSON.stringify(message).includes(workspaceId));
  await contacts.update({ id, changes: { email: 'taken@engines.test' } });
  await flushPublished();
  await listener.query('select');
  expect(published()).toEqual([]);
  await updateContact({ workspaceId, id, actor: { kind: 'automatic' }, fields: { city: 'Oslo' } });
  await until('the change is published', async () => published().length > 0);
  expect(published()).toEqual([{ workspaceId, topic: 'conversations' }]);
  await listener.end();
});

describe('roles', () => {
  test('viewers cannot create or change contacts, and their form says so', async ({
    teammates,
    workspaceId,
  }) => {
    const asViewer = await contactsOf(teammates.viewer);
    const id = await know(workspaceId);
    expect(await errorsOf(asViewer.create({ name: 'Eve' }))).toBe(VIEWERS_READ_ONLY);
    expect(await errorsOf(asViewer.update({ id, changes: { name: 'Eve' } }))).toBe(VIEWERS_READ_ONLY);
    expect(await asViewer.form({ id })).toEqual({ kind: 'not_allowed', role: 'viewer' });
    expect(await asViewer.mayChange()).toBe(false);
    expect(await allContacts(workspaceId)).toHaveLength(1);
  });

  test.for(['owner', 'admin', 'agent'] as const)(
    'an %s can create and change contacts',
    async (role, { teammates, workspaceId }) => {
      const as = await contactsOf(teammates[role]);
      const company = { id: await makeCompany(workspaceId, 'Engines'), name: 'Engines' };
      const id = await know(workspaceId, { ...KNOWN, companyId: company.id });
      expect(await as.mayChange()).toBe(true);
      expect(await as.form({ id })).toMatchObject({
        kind: 'shown',
        contact: { id, name: 'Ada Lovelace', email: KNOWN.email, company },
        companies: { rows: [company], areAll: true },
      });
      expect(await as.form({})).toMatchObject({ kind: 'shown', contact: null });
      expect(await as.create({ name: 'Bob' })).toMatchObject({ kind: 'saved' });
      expect(await as.get({ id })).toMatchObject({ mayChange: true });
    },
  );
});

const know = async (workspaceId: string, columns: object = {}) =>
  (await db().contact.create({ data: { workspaceId, firstName: 'Ada', ...columns } })).id;

const allContacts = (workspaceId: string) =>
  db().contact.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });

const makeCompany = async (workspaceId: string, name: string, columns: object = {}) =>
  (await db().company.create({ data: { workspaceId, name, ...columns } })).id;
const contactsOf = async (teammate: { email: string }) => (await (await signInTeammate(teammate))()).contacts;
const row = (id: string) => db().contact.findUniqueOrThrow({ where: { id } });
