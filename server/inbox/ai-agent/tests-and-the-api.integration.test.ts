import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { testAgent } from '#server/inbox/ai-agent/test-agent.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

// Test conversations and their contacts do not exist for the platform (`docs/rulings.md` 3.15).

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let conversationId: string;
let contactId: string;
beforeEach(async () => {
  connection = await makeConnection();
  const { workspaceId } = connection;
  ({ conversationId } = await testAgent(exampleAgent, {
    workspaceId,
    conversationId: null,
    content: 'Hello',
  }));
  ({ id: contactId } = await db().contact.findFirstOrThrow({ where: { workspaceId, isTest: true } }));
});

const api = () => apiClient(service.url, connection.accessToken);

test('a workflow gets 404 for a test conversation and its contact, and changes neither', async () => {
  const { workspaceId } = connection;
  const before = await rowsOfWorkspace(workspaceId);
  const path = `/conversations/${conversationId}`;
  for (const [method, at, body] of [
    ['PATCH', path, { status: 'solved' }],
    ['POST', `${path}/replies`, { content: 'Hello' }],
    ['POST', `${path}/notes`, { content: 'Hello' }],
    ['POST', `${path}/tags`, { tags: ['vip'] }],
    ['PATCH', `/contacts/${contactId}`, { name: 'Ada' }],
    ['PATCH', `/contacts/${contactId}`, { email: 'ada@example.com' }],
    ['PATCH', `/contacts/${contactId}`, {}],
  ] as const) {
    expect([at, (await api()(method, at, body)).status]).toEqual([at, 404]);
  }
  expect(await rowsOfWorkspace(workspaceId)).toEqual(before);
});

test('no search finds a test conversation or its contact', async () => {
  const email = 'tester@example.com';
  await db().contact.update({ where: { id: contactId }, data: { email, phone: '123', phoneDigits: '123' } });
  for (const path of [
    `/conversations/search?id=${conversationId}`,
    `/conversations/search?contact_email=${email}`,
    `/contacts/search?email=${email}`,
    '/contacts/search?phone=123',
  ]) {
    expect([path, (await api()('GET', path)).body]).toEqual([path, []]);
  }
});
