import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const EMAIL = 'ada@example.com';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let contactId: string;
beforeEach(async () => {
  connection = await makeConnection();
  contactId = (await makeContact(connection.workspaceId, { email: EMAIL })).id;
});

const api = () => apiClient(service.url, connection.accessToken);

async function search(query: Record<string, string>): Promise<{ id: string }[]> {
  const { status, body } = await api()('GET', `/conversations/search?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return body as { id: string }[];
}
const found = async (query: Record<string, string>) => (await search(query)).map(({ id }) => id);

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number));
const make = (columns: ConversationColumns = {}) => makeConversation(connection, { contactId, ...columns });

/** Creates another workspace with a conversation of a contact with the same address. */
async function makeStranger() {
  const other = await makeConnection();
  const contact = await makeContact(other.workspaceId, { email: EMAIL });
  return { contact, id: await makeConversation(other, { contactId: contact.id }) };
}

test('a search returns the same Conversation as PATCH', async () => {
  const id = await make({ resolvedAt: minute(1), status: 'solved' });
  const { body } = await api()('PATCH', `/conversations/${id}`, { priority: 'urgent' });
  expect(await search({ id })).toEqual([body]);
  expect(await search({ contact_email: EMAIL })).toEqual([body]);
  expect(body).toMatchObject({ id, priority: 'urgent', contact: { email: EMAIL }, tags: ['Shipping'] });
});

describe('by id', () => {
  test('a conversation is found, with the id in upper case too', async () => {
    const [id] = [await make(), await make()];
    expect(await found({ id })).toEqual([id]);
    expect(await found({ id: id.toUpperCase() })).toEqual([id]);
    expect(await found({ id: ` ${id} ` })).toEqual([id]);
  });

  test('a conversation without contact, assignee and team is found', async () => {
    const nobody = { contactId: null, assigneeId: null, assignedAt: null, teamId: null };
    const [conversation] = await search({ id: await make(nobody) });
    expect(conversation).toMatchObject({ contact: null, assignee: null, team: null });
  });

  test('nothing is found for an id that is unknown, invalid, merged or of another workspace', async () => {
    const id = await make();
    const merged = await make({ mergedIntoId: id });
    const { id: foreign, contact } = await makeStranger();
    const others = [randomUUID(), merged, foreign, foreign.toUpperCase(), contact.id, contactId];
    for (const other of [...others, '42', `${id}0`, `{${id}}`, "' or 1=1 --", 'x'.repeat(5_000)]) {
      expect(await found({ id: other }), other.slice(0, 50)).toEqual([]);
    }
  });

  test('the id takes precedence over the address and the status', async () => {
    const id = await make({ status: 'open' });
    const contact = await makeContact(connection.workspaceId, { email: 'grace@example.com' });
    const grace = await make({ contactId: contact.id });
    expect(await found({ id: grace, contact_email: EMAIL })).toEqual([grace]);
    expect(await found({ id, contact_email: 'grace@example.com', status: 'closed' })).toEqual([id]);
    expect(await found({ id: randomUUID(), contact_email: EMAIL })).toEqual([]);
    expect(await found({ id: 'no id', contact_email: EMAIL })).toEqual([]);
    expect(await found({ id: '', contact_email: EMAIL })).toEqual([id]);
    expect(await found({ id: ' ', contact_email: EMAIL })).toEqual([id]);
  });
});

describe('by the address of the contact', () => {
  test('the contact’s conversations are found in any letter case, newest first', async () => {
    const [oldest, newest, middle] = [
      await make({ createdAt: minute(1), lastMessageAt: minute(9) }),
      await make({ createdAt: minute(3) }),
      await make({ createdAt: minute(2), status: 'closed', channel: 'slack' }),
    ];
    await makeConversation(connection);
    await make({ contactId: null });
    for (const contact_email of [EMAIL, 'ADA@Example.COM', ` ${EMAIL} `]) {
      expect(await found({ contact_email })).toEqual([newest, middle, oldest]);
    }
  });

  test('at most ten are found, and merged ones do not count', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 12; number += 1) ids.unshift(await make({ createdAt: minute(number) }));
    const mergedIntoId = ids[0] ?? null;
    for (let number = 20; number < 23; number += 1) await make({ createdAt: minute(number), mergedIntoId });
    expect(await found({ contact_email: EMAIL })).toEqual(ids.slice(0, 10));
    expect(await found({ contact_email: EMAIL, status: 'open' })).toEqual(ids.slice(0, 10));
  });

  test('conversations with the same timestamp are sorted by creation, newest first', async () => {
    const ids = [await make(), await make(), await make()];
    expect(await found({ contact_email: EMAIL })).toEqual(ids.toReversed());
  });

  test('a status filter uses the current status', async () => {
    const statuses = ['open', 'pending', 'solved', 'closed'] as const;
    const ids = await Promise.all(statuses.map((status) => make({ status })));
    for (const [index, status] of statuses.entries()) {
      expect(await found({ contact_email: EMAIL, status })).toEqual([ids[index]]);
    }
    await db().conversation.updateMany({ where: { status: 'open' }, data: { status: 'pending' } });
    expect(await found({ contact_email: EMAIL, status: 'open' })).toEqual([]);
    expect(await found({ contact_email: EMAIL, status: 'pending' })).toHaveLength(2);
    expect(await found({ contact_email: EMAIL, status: '' })).toHaveLength(4);
  });

  test('conversations of another workspace or of a similar address are never found', async () => {
    await makeStranger();
    expect(await found({ contact_email: EMAIL })).toEqual([]);
    await make();
    for (const contact_email of [
      'ada@example.co',
      'da@example.com',
      'ada@example.com.test',
      '%@example.com',
    ]) {
      expect(await found({ contact_email })).toEqual([]);
    }
  });
});
