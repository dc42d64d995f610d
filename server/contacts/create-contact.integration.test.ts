import { describe, expect } from 'vitest';
import { createContact } from '#server/contacts/create-contact.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import type { apiClient } from '#test/clients/api-client.ts';
import { eventsToFanOut } from '#test/database/recorded-events.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

test('returns 201 with the Contact and nothing else', async ({ connection, api }) => {
  const { status, body, headers } = await create(api, {
    name: ' Ada King Lovelace ',
    email: ' Ada@Engines.EXAMPLE ',
    phone: ' +44 20 7946-0018 ',
    city: ' London ',
    language: ' en ',
  });
  expect(status).toBe(201);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  const { id } = body as { id: string };
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(body).toEqual({
    id,
    name: 'Ada King Lovelace',
    first_name: 'Ada',
    last_name: 'King Lovelace',
    email: 'ada@engines.example',
    phone: '+44 20 7946-0018',
    city: 'London',
    language: 'en',
    company: null,
    created_at: expect.stringMatching(TIMESTAMP),
    url: `http://inbox.test/contacts/${id}`,
  });
  expect(await contacts(connection)).toMatchObject([{ id, phoneDigits: '442079460018', isTest: false }]);
});

describe('one of name, email and phone is enough, and every key is present', () => {
  test.for([
    [{ name: 'Ada' }, { name: 'Ada', first_name: 'Ada' }],
    [{ name: '陽子 😀' }, { name: '陽子 😀', first_name: '陽子', last_name: '😀' }],
    [{ email: 'ada@example.com' }, { email: 'ada@example.com' }],
    [{ phone: '0018' }, { phone: '0018' }],
    [{ phone: '00\n18' }, { phone: '00 18' }],
    [{ phone: 'ask at the desk' }, { phone: 'ask at the desk' }],
    [{ name: null, email: '', phone: '7', city: ' ', language: null }, { phone: '7' }],
  ] as const)('%j', async ([input, shown], { api }) => {
    const { status, body } = await create(api, input);
    expect(status).toBe(201);
    const { id, created_at, url, ...rest } = body as Record<string, unknown>;
    expect({ id, created_at, url }).not.toContain(undefined);
    expect(rest).toEqual({ ...NOTHING, ...shown });
  });

  test.for([
    {},
    { city: 'London', language: 'en' },
    { name: null, email: null, phone: null },
    { name: '', email: ' ', phone: '\t' },
    { Name: 'Ada', first_name: 'Ada', e_mail: 'ada@example.com' },
  ])('%j has none of them and is refused', async (input, { connection, api }) => {
    const sentence = 'Give at least one of name, email and phone.';
    const { status, body } = await create(api, input);
    expect({ status, body }).toEqual({
      status: 422,
      body: { message: sentence, errors: { body: [sentence] } },
    });
    expect(await contacts(connection)).toEqual([]);
  });
});

test('two contacts can have the same name and phone', async ({ connection, api }) => {
  const input = { name: 'Ada', phone: '+44 20 7946 0018' };
  const made = await Promise.all([create(api, input), create(api, input)]);
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect(await contacts(connection)).toHaveLength(2);
});

describe('contact.created', () => {
  test('is recorded once, with the contact as in the response, and queued for fan-out', async ({
    connection,
    api,
  }) => {
    const { body } = await create(api, { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20' });
    const [event, ...others] = await events(connection);
    expect(others).toEqual([]);
    expect(JSON.parse(event?.body ?? '')).toEqual({
      id: event?.id,
      event: 'contact.created',
      occurred_at: expect.stringMatching(TIMESTAMP),
      contact: body,
    });
    expect(await eventsToFanOut()).toEqual([event?.id]);
  });

  test('is not recorded when the contact is refused', async ({ connection, api }) => {
    await db().contact.create({ data: { workspaceId: connection.workspaceId, email: 'ada@example.com' } });
    expect((await create(api, { email: 'ada@example.com' })).status).toBe(422);
    expect((await create(api, {})).status).toBe(422);
    expect(await events(connection)).toEqual([]);
    expect(await eventsToFanOut()).toEqual([]);
  });

  test('is not recorded in a workspace without a connection', async () => {
    const { id: workspaceId } = await makeWorkspace();
    expect(
      await planAndWrite((tx) =>
        createContact(tx, { workspaceId, actor: { kind: 'automatic' }, fields: { name: 'Ada' } }),
      ),
    ).toMatchObject({ name: 'Ada' });
    expect(await db().event.findMany({ where: { workspaceId } })).toEqual([]);
    expect(await eventsToFanOut()).toEqual([]);
  });

  test('rolls the contact back when it cannot be recorded', async ({ connection, api }) => {
    await db().$executeRaw`alter table events rename to events_gone`;
    const { status } = await create(api, { name: 'Ada' });
    await db().$executeRaw`alter table events_gone rename to events`;
    expect(status).toBe(500);
    expect(await contacts(connection)).toEqual([]);
  });
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

const NOTHING = {
  name: null,
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  city: null,
  language: null,
  company: null,
};

const create = (api: ReturnType<typeof apiClient>, body: object) => api('POST', '/contacts', body);
const contacts = ({ workspaceId }: { workspaceId: string }) =>
  db().contact.findMany({ where: { workspaceId } });
const events = ({ workspaceId }: { workspaceId: string }) => db().event.findMany({ where: { workspaceId } });
