import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { testAgent } from '#server/inbox/ai-agent/test-agent.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

// Test conversations and their contacts do not exist for the platform (`docs/rulings.md` 3.15).

const test = serviceTest.extend('agentTest', ({ connection }) => startAgentTest(connection));

test('a workflow gets 404 for a test conversation and its contact, and changes neither', async ({
  api,
  connection,
  agentTest,
}) => {
  const { workspaceId } = connection;
  const before = await rowsOfWorkspace(workspaceId);
  const path = `/conversations/${agentTest.conversationId}`;
  for (const [method, at, body] of [
    ['PATCH', path, { status: 'solved' }],
    ['POST', `${path}/replies`, { content: 'Hello' }],
    ['POST', `${path}/notes`, { content: 'Hello' }],
    ['POST', `${path}/tags`, { tags: ['vip'] }],
    ['PATCH', `/contacts/${agentTest.contactId}`, { name: 'Ada' }],
    ['PATCH', `/contacts/${agentTest.contactId}`, { email: 'ada@example.com' }],
    ['PATCH', `/contacts/${agentTest.contactId}`, {}],
  ] as const) {
    expect([at, (await api(method, at, body)).status]).toEqual([at, 404]);
  }
  expect(await rowsOfWorkspace(workspaceId)).toEqual(before);
});

test('no search finds a test conversation or its contact', async ({ api, agentTest }) => {
  const email = 'tester@example.com';
  await db().contact.update({
    where: { id: agentTest.contactId },
    data: { email, phone: '123', phoneDigits: '123' },
  });
  for (const path of [
    `/conversations/search?id=${agentTest.conversationId}`,
    `/conversations/search?contact_email=${email}`,
    `/contacts/search?email=${email}`,
    '/contacts/search?phone=123',
  ]) {
    expect([path, (await api('GET', path)).body]).toEqual([path, []]);
  }
});

async function startAgentTest({ workspaceId }: { workspaceId: string }) {
  const { conversationId } = await testAgent(exampleAgent, {
    workspaceId,
    conversationId: null,
    content: 'Hello',
  });
  const { id } = await db().contact.findFirstOrThrow({ where: { workspaceId, isTest: true } });
  return { conversationId, contactId: id };
}
