import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import { type NewEvent, recordEvents } from '#server/contract/record-events.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { eventsToFanOut } from '#test/database/recorded-events.ts';
import { makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { BY_THE_SERVICE, makeOccurrence } from '#test/fixtures/occurrences.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

test('the body is the envelope and the payload, fixed byte for byte', async () => {
  const { workspaceId } = await makeConnection();
  const event = await contactCreated(workspaceId);
  await record(workspaceId, [event]);
  const [row] = await recorded(workspaceId);
  expect(row?.body).toBe(
    JSON.stringify({
      id: row?.id,
      event: 'contact.created',
      occurred_at: '2026-11-21T06:29:29.123+00:00',
      ...event.payload,
    }),
  );
  expect(row).toMatchObject({ key: 'contact.created', filterValues: [] });
});

test('events have increasing ids in the given order, and are queued in that order', async () => {
  const { workspaceId } = await makeConnection();
  const events = await Promise.all(Array.from({ length: 20 }, () => contactCreated(workspaceId)));
  await record(workspaceId, events);
  const rows = await recorded(workspaceId);
  expect(rows.map(({ body }) => JSON.parse(body).contact)).toEqual(
    events.map(({ payload }) => 'contact' in payload && payload.contact),
  );
  const eventIds = rows.map(({ id }) => id);
  expect(await eventsToFanOut()).toEqual(eventIds);
});

test('the filter values of the catalogue are stored', async ({ connection }) => {
  const tags = ['VIP', 'Größe "x", {y}'];
  await makeOccurrence('conversation.status_changed', connection, {
    at: NOW,
    columns: { status: 'pending' },
  });
  await makeOccurrence('conversation.tagged', connection, { at: NOW, tags });
  await makeOccurrence('operator.command', connection, { at: NOW, command: 're-fund_2' });
  await makeOccurrence('conversation.rated', connection, { at: NOW });
  const rows = await recorded(connection.workspaceId);
  expect(Object.fromEntries(rows.map(({ key, filterValues }) => [key, filterValues]))).toEqual({
    'conversation.status_changed': ['pending'],
    'conversation.tagged': ['vip', 'größe "x", {y}'],
    'operator.command': ['re-fund_2'],
    'conversation.rated': [],
  });
});

test('a given event id is used in row and body', async () => {
  const { workspaceId } = await makeConnection();
  const id = randomUUID();
  await record(workspaceId, [{ ...(await contactCreated(workspaceId)), id }]);
  const [row] = await recorded(workspaceId);
  expect(row?.id).toBe(id);
  expect(JSON.parse(row?.body ?? '{}').id).toBe(id);
});

test('nothing is recorded or queued without an active connection', async () => {
  const never = await makeWorkspace();
  const ended = await makeConnection();
  await inTransaction((tx) => endConnection(tx, { id: ended.id, reason: 'disconnected' }));
  for (const workspaceId of [never.id, ended.workspaceId]) {
    await record(workspaceId, [await contactCreated(workspaceId)]);
    expect(await recorded(workspaceId)).toEqual([]);
  }
  expect(await eventsToFanOut()).toEqual([]);
});

test('one active connection beside an ended one is enough', async () => {
  const ended = await makeConnection();
  const { workspaceId } = await makeConnection({ workspaceId: ended.workspaceId });
  await inTransaction((tx) => endConnection(tx, { id: ended.id, reason: 'disconnected' }));
  await record(workspaceId, [await contactCreated(workspaceId)]);
  expect(await recorded(workspaceId)).toHaveLength(1);
});

test('a rollback of the change undoes events and their fan-out', async () => {
  const { workspaceId } = await makeConnection();
  const event = await contactCreated(workspaceId);
  const change = inTransaction(async (tx) => {
    await recordEvents(tx, { workspaceId, events: [event], cause: BY_THE_SERVICE });
    throw new Error('The change failed.');
  });
  await expect(change).rejects.toThrow('The change failed.');
  expect(await recorded(workspaceId)).toEqual([]);
  expect(await eventsToFanOut()).toEqual([]);
});

test('creating a conversation records each event once, with the records of the response', async ({
  connection,
  api,
}) => {
  const input = { to_email: 'ada@example.com', subject: 'Order', content: 'Hello' };
  const { body } = await api('POST', '/conversations', input);
  const conversation = body as { contact: object };
  const rows = await recorded(connection.workspaceId);
  const envelope = { id: expect.any(String), occurred_at: expect.stringMatching(/\+00:00$/) };
  expect(rows.map((row) => JSON.parse(row.body))).toEqual([
    { ...envelope, event: 'contact.created', contact: conversation.contact },
    { ...envelope, event: 'conversation.created', conversation },
    { ...envelope, event: 'conversation.assigned', conversation, previous_assignee: null },
  ]);
  expect(rows.map((row) => JSON.parse(row.body).id)).toEqual(rows.map(({ id }) => id));
});

const NOW = new Date('2026-11-21T06:29:29.123Z');
const record = (workspaceId: string, events: NewEvent[]) =>
  inTransaction((tx) => recordEvents(tx, { workspaceId, events, cause: BY_THE_SERVICE, now: NOW }));
const recorded = (workspaceId: string) =>
  db().event.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });

/** Creates a contact whose name has characters that JSON and SQL escape, and its `contact.created` event. */
async function contactCreated(workspaceId: string): Promise<NewEvent> {
  const data = { workspaceId, firstName: 'Ada "\\u0041" \u2028 😀 \'; --' };
  const contact = contactRecord(await db().contact.create({ data, select: contactSelect }));
  return { key: 'contact.created', payload: { contact } };
}
