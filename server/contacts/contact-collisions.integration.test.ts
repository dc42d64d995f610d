import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test('ten simultaneous creations with one address return one 201 and nine 422; other workspaces are independent', async ({
  service,
  connection,
  api,
}) => {
  const abroad = await makeConnection();
  const [there, ...here] = await Promise.all([
    create(apiClient(service.url, abroad.accessToken)),
    ...Array.from({ length: PARALLEL }, () => create(api)),
  ]);
  expect(there?.status).toBe(201);
  expectOneWinner(here, [201]);
  expect(await owners(connection)).toBe(1);
  expect(await createdEvents(connection)).toBe(1);
});

test('ten simultaneous updates to one address return one 200 and nine 422', async ({ connection, api }) => {
  const ids = await know(connection, PARALLEL);
  expectOneWinner(await Promise.all(ids.map((id) => update(api, id))), [200]);
  expect(await owners(connection)).toBe(1);
});

test('simultaneous creations and updates to one address have exactly one winner', async ({
  connection,
  api,
}) => {
  const ids = await know(connection, PARALLEL / 2);
  const responses = await Promise.all(ids.flatMap((id) => [create(api), update(api, id)]));
  expectOneWinner(responses, [200, 201]);
  expect(await owners(connection)).toBe(1);
  expect(await createdEvents(connection)).toBe(responses.filter(({ status }) => status === 201).length);
});

test('a creation is refused or succeeds when a conversation to the same address starts simultaneously', async ({
  connection,
  api,
}) => {
  const conversation = { to_email: ADDRESS, to_name: 'Ray Race', subject: 'A', content: 'B' };
  const [created, started] = await Promise.all([create(api), api('POST', '/conversations', conversation)]);
  expect(started.status).toBe(201);
  if (created.status !== 201) expect(created.body).toEqual(TAKEN);
  expect(await owners(connection)).toBe(1);
});

test('two contacts that swap addresses simultaneously get a refusal, never a server error', async ({
  connection,
  api,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const addresses = [`a${round}@example.com`, `b${round}@example.com`] as const;
    const [a = '', b = ''] = await know(connection, 2);
    await update(api, a, { email: addresses[0] });
    await update(api, b, { email: addresses[1] });
    // Both updates wait for their rows, then continue simultaneously and can deadlock.
    const responses = await db().$transaction(async (tx) => {
      await tx.$executeRaw`select from contacts where id in (${a}::uuid, ${b}::uuid) for update`;
      const updates = [update(api, a, { email: addresses[1] }), update(api, b, { email: addresses[0] })];
      await until('both updates wait for a lock', async () => (await countLockWaiters()) === 2);
      return updates;
    });
    for (const { status, body } of await Promise.all(responses)) {
      expect({ status, body }).toEqual({ status: 422, body: TAKEN });
    }
  }
});

test('simultaneous updates of different fields are all stored', async ({ connection, api }) => {
  const [id = ''] = await know(connection, 1);
  const fields = { name: 'Ada Lovelace', email: ADDRESS, phone: '+44 7', city: 'London', language: 'en' };
  const each = Object.entries(fields).map(([field, value]) => ({ [field]: value }));
  const responses = await Promise.all(each.map((field) => update(api, id, field)));
  expect(responses.map(({ status }) => status)).toEqual(each.map(() => 200));
  expect(await db().contact.findUnique({ where: { id } })).toMatchObject({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: ADDRESS,
    phone: '+44 7',
    phoneDigits: '447',
    city: 'London',
    language: 'en',
  });
});

const PARALLEL = 10;
const ADDRESS = 'race@example.com';
const SENTENCE = 'This address already belongs to Ray Race.';
const TAKEN = { message: SENTENCE, errors: { email: [SENTENCE], email_duplicate: [SENTENCE] } };
const input = { name: 'Ray Race', email: ADDRESS };
const create = (api: ReturnType<typeof apiClient>) => api('POST', '/contacts', input);

const know = async ({ workspaceId }: { workspaceId: string }, count: number) => {
  const rows = Array.from({ length: count }, () => ({ workspaceId, firstName: 'Ray', lastName: 'Race' }));
  return (await db().contact.createManyAndReturn({ data: rows })).map(({ id }) => id);
};

const update = (api: ReturnType<typeof apiClient>, id: string, body: object = input) =>
  api('PATCH', `/contacts/${id}`, body);
const owners = ({ workspaceId }: { workspaceId: string }) =>
  db().contact.count({ where: { workspaceId, email: ADDRESS } });
const createdEvents = ({ workspaceId }: { workspaceId: string }) =>
  db().event.count({ where: { workspaceId } });

/** Expects one success; every other response is the refusal that names the owner of the address. */
function expectOneWinner(responses: ApiResponse[], success: number[]): void {
  const [winner, ...losers] = responses.toSorted((a, b) => a.status - b.status);
  expect(success).toContain(winner?.status);
  for (const { status, body } of losers) expect({ status, body }).toEqual({ status: 422, body: TAKEN });
}
