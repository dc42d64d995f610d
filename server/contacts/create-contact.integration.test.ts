import { beforeEach, describe, expect, test } from 'vitest';
import { createContact } from '#server/contacts/create-contact.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { eventsToFanOut } from '#test/database/recorded-events.ts';
import { makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

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

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
  await forgetJobs();
});

const create = (body: object) => apiClient(service.url, connection.accessToken)('POST', '/contacts', body);
const contacts = () => db().contact.findMany({ where: { workspaceId: connection.workspaceId } });
const events = (workspaceId = connection.workspaceId) => db().event.findMany({ where: { workspaceId } });

test('answers 201 with the Contact and nothing else', async () => {
  const { status, body, headers } = await create({
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
  expect(await contacts()).toMatchObject([{ id, phoneDigits: '442079460018', isTest: false }]);
});

describe('one of name, email and phone is enough, and every key is present', () => {
  test.each([
    [{ name: 'Ada' }, { name: 'Ada', first_name: 'Ada' }],
    [{ name: '陽子 😀' }, { name: '陽子 😀', first_name: '陽子', last_name: '😀' }],
    [{ email: 'ada@example.com' }, { email: 'ada@example.com' }],
    [{ phone: '0018' }, { phone: '0018' }],
    [{ phone: '00\n18' }, { phone: '00 18' }],
    [{ phone: 'ask at the desk' }, { phone: 'ask at the desk' }],
    [{ name: null, email: '', phone: '7', city: ' ', language: null }, { phone: '7' }],
  ])('%j', async (given, shown) => {
    const { status, body } = await create(given);
    expect(status).toBe(201);
    const { id, created_at, url, ...rest } = body as Record<string, unknown>;
    expect({ id, created_at, url }).not.toContain(undefined);
    expect(rest).toEqual({ ...NOTHING, ...shown });
  });

  test.each([
    {},
    { city: 'London', language: 'en' },
    { name: null, email: null, phone: null },
    { name: '', email: ' ', phone: '\t' },
    { Name: 'Ada', first_name: 'Ada', e_mail: 'ada@example.com' },
  ])('%j has none of them and is refused', async (given) => {
    const sentence = 'Give at least one of name, email and phone.';
    const { status, body } = await create(given);
    expect({ status, body }).toEqual({
      status: 422,
      body: { message: sentence, errors: { body: [sentence] } },
    });
    expect(await contacts()).toEqual([]);
  });
});

test('two contacts can have the same name and phone', async () => {
  const given = { name: 'Ada', phone: '+44 20 7946 0018' };
  const made = await Promise.all([create(given), create(given)]);
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect(await contacts()).toHaveLength(2);
});

describe('contact.created', () => {
  test('is recorded once, with the contact as in the response, and queued for fan-out', async () => {
    const { body } = await create({ name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20' });
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(JSON.parse(event?.body ?? '')).toEqual({
      id: event?.id,
      event: 'contact.created',
      occurred_at: expect.stringMatching(TIMESTAMP),
      contact: body,
    });
    expect(await eventsToFanOut()).toEqual([event?.id]);
  });

  test('is not recorded when the contact is refused', async () => {
    await db().contact.create({ data: { workspaceId: connection.workspaceId, email: 'ada@example.com' } });
    expect((await create({ email: 'ada@example.com' })).status).toBe(422);
    expect((await create({})).status).toBe(422);
    expect(await events()).toEqual([]);
    expect(await eventsToFanOut()).toEqual([]);
  });

  test('is not recorded in a workspace without a connection', async () => {
    const { id: workspaceId } = await makeWorkspace();
    expect(await createContact({ workspaceId, fields: { name: 'Ada' } })).toMatchObject({ name: 'Ada' });
    expect(await events(workspaceId)).toEqual([]);
    expect(await eventsToFanOut()).toEqual([]);
  });

  test('rolls the contact back when it cannot be recorded', async () => {
    await db().$executeRaw`alter table events rename to events_gone`;
    const { status } = await create({ name: 'Ada' });
    await db().$executeRaw`alter table events_gone rename to events`;
    expect(status).toBe(500);
    expect(await contacts()).toEqual([]);
  });
});
