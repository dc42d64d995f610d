import { expect } from 'vitest';
import { settings } from '#server/core/env.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/service-test.ts';

test.for([
  ['PATCH', '', { status: 'solved' }],
  ['POST', '/replies', { content: 'Hello' }],
  ['POST', '/notes', { content: 'Hello' }],
  ['POST', '/tags', { tags: ['vip'] }],
] as const)(
  '%s /conversations/{id}%s of a merged conversation names the one to use instead',
  async ([method, path, body], { connection, conversation, api }) => {
    const merged = await makeConversation(connection, { mergedIntoId: conversation });
    const response = await api(method, `/conversations/${merged}${path}`, body);
    expect(response.status).toBe(422);
    const url = `${settings().BASE_URL}/inbox?selected=${conversation}`;
    expect(JSON.stringify(response.body)).toContain(`Use ${url} instead.`);
  },
);
