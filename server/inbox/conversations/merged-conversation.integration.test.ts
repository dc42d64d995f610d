import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { mergedInto, NOT_FOUND, refused } from '#test/fixtures/refused.ts';

const test = conversationTest
  .extend('pair', { scope: 'file' }, ({ service: _ }) => makePair())
  .extend('api', ({ service, pair }) => apiClient(service.url, pair.connection.accessToken));

describe('a merged conversation cannot be changed:', () => {
  test.for<[string, string, object]>([
    ['PATCH', '', { status: 'solved' }],
    ['POST', '/replies', { content: 'Hello' }],
    ['POST', '/notes', { content: 'Hello' }],
    ['POST', '/tags', { tags: ['vip'] }],
    ['POST', '/tags', { tags: ['Shipping'] }],
  ])(
    '%s /conversations/{id}%s %j is refused under conversation',
    async ([method, path, body], { api, pair: { connection, merged, target } }) => {
      const before = await rowsOfWorkspace(connection.workspaceId);
      const response = await api(method, `/conversations/${merged}${path}`, body);
      expect({ status: response.status, body: response.body }).toEqual(
        refused('conversation', mergedInto(target)),
      );
      expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
      expect((await api(method, `/conversations/${target}${path}`, body)).status).toBeLessThan(300);
    },
  );
});

describe('a conversation that was merged into one that is now spam or deleted does not exist for the API:', () => {
  test.for<[string, string, object]>([
    ['PATCH', '', { status: 'solved' }],
    ['PATCH', '', { status: 'unknown' }],
    ['POST', '/replies', { content: 'Hello' }],
    ['POST', '/notes', { content: '' }],
    ['POST', '/tags', { tags: ['vip'] }],
  ])('%s /conversations/{id}%s %j', async ([method, path, body], { service }) => {
    const { connection, merged, target } = await makePair();
    const api = apiClient(service.url, connection.accessToken);
    for (const removal of ['spam', 'deleted'] as const) {
      await db().conversation.update({ where: { id: target }, data: { removal, removedAt: new Date() } });
      const { status, body: refusal } = await api(method, `/conversations/${merged}${path}`, body);
      expect({ status, body: refusal }).toEqual(NOT_FOUND);
    }
  });
});

describe('a merged conversation is never found', () => {
  test('by its id', async ({ api, pair: { merged, target } }) => {
    expect((await api('GET', `/conversations/search?id=${merged}`)).body).toEqual([]);
    expect((await api('GET', `/conversations/search?id=${target}`)).body).toMatchObject([{ id: target }]);
  });

  test('by its contact, in any status', async ({ api, pair: { email, merged, target } }) => {
    const search = async (status: string) =>
      (await api('GET', `/conversations/search?contact_email=${email}&status=${status}`)).body;
    const { status = '' } = (await db().conversation.findUnique({ where: { id: target } })) ?? {};
    expect(await search('')).toMatchObject([{ id: target }]);
    expect(await search(status)).toMatchObject([{ id: target }]);
    await db().conversation.update({ where: { id: merged }, data: { status: 'closed' } });
    expect(await search('closed')).toEqual([]);
  });

  test.for(EVENT_KEYS.filter((key) => key !== 'contact.created'))(
    'among the samples of %s',
    async (key, { service, pair: { connection, target } }) => {
      const samples = await sampleClient(service.url, connection.accessToken)(key);
      expect(samples.map((sample) => 'conversation' in sample && sample.conversation.id)).toEqual([target]);
    },
  );
});

/** Creates two conversations of one contact with samples of every event. The first is merged into the second. */
async function makePair() {
  const connection = await makeConnection();
  const { id: contactId, email } = await makeContact(connection.workspaceId);
  const merged = await makeConversation(connection, { contactId });
  const target = await makeConversation(connection, { contactId });
  for (const key of EVENT_KEYS.filter((key) => key !== 'contact.created')) {
    for (const conversationId of [merged, target])
      await makeOccurrence(key, connection, { conversationId, at: new Date() });
  }
  await mergeAs(connection, merged, target);
  return { connection, email, merged, target };
}
