import { beforeAll, describe, expect, test } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let email: string;
/** Two conversations of one contact. The first was merged into the second. */
let merged: string;
let target: string;
beforeAll(async () => {
  connection = await makeConnection();
  const contact = await makeContact(connection.workspaceId);
  email = contact.email ?? '';
  const columns = { contactId: contact.id };
  [merged, target] = [
    await makeConversation(connection, columns),
    await makeConversation(connection, columns),
  ];
  for (const key of EVENT_KEYS.filter((key) => key !== 'contact.created')) {
    for (const conversationId of [merged, target])
      await makeOccurrence(key, connection, { conversationId, at: new Date() });
  }
  await mergeAs(connection, merged, target);
});

const api = (...call: Parameters<ReturnType<typeof apiClient>>) =>
  apiClient(service.url, connection.accessToken)(...call);

describe('a merged conversation cannot be changed:', () => {
  test.each([
    ['PATCH', '', { status: 'solved' }],
    ['POST', '/replies', { content: 'Hello' }],
    ['POST', '/notes', { content: 'Hello' }],
    ['POST', '/tags', { tags: ['vip'] }],
    ['POST', '/tags', { tags: ['Shipping'] }],
  ])('%s /conversations/{id}%s %j is refused under conversation', async (method, path, body) => {
    const before = await rowsOfWorkspace(connection.workspaceId);
    const response = await api(method, `/conversations/${merged}${path}`, body);
    const sentence = `This conversation was merged into another one. Use ${conversationUrl(target)} instead.`;
    expect({ status: response.status, body: response.body }).toEqual({
      status: 422,
      body: { message: sentence, errors: { conversation: [sentence] } },
    });
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
    expect((await api(method, `/conversations/${target}${path}`, body)).status).toBeLessThan(300);
  });
});

describe('a merged conversation is never found', () => {
  test('by its id', async () => {
    expect((await api('GET', `/conversations/search?id=${merged}`)).body).toEqual([]);
    expect((await api('GET', `/conversations/search?id=${target}`)).body).toMatchObject([{ id: target }]);
  });

  test('by its contact, in any status', async () => {
    const search = async (status: string) =>
      (await api('GET', `/conversations/search?contact_email=${email}&status=${status}`)).body;
    const { status = '' } = (await db().conversation.findUnique({ where: { id: target } })) ?? {};
    expect(await search('')).toMatchObject([{ id: target }]);
    expect(await search(status)).toMatchObject([{ id: target }]);
    await db().conversation.update({ where: { id: merged }, data: { status: 'closed' } });
    expect(await search('closed')).toEqual([]);
  });

  test.each(EVENT_KEYS.filter((key) => key !== 'contact.created'))('among the samples of %s', async (key) => {
    const samples = await sampleClient(service.url, connection.accessToken)(key);
    expect(samples.map((sample) => 'conversation' in sample && sample.conversation.id)).toEqual([target]);
  });
});
