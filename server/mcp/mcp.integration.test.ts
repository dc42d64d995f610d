import type { Client } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { ABILITIES, hasAbility, type NeededAbility } from '#server/automation/tokens/abilities.ts';
import { revokeToken } from '#server/automation/tokens/api-tokens.ts';
import { db } from '#server/core/database/prisma.ts';
import { RESULT_MAX } from '#server/mcp/bounded-pages.ts';
import { TOOLS } from '#server/mcp/mcp-handler.ts';
import { NOTICE } from '#server/mcp/untrusted.ts';
import { callMcp, connectMcp, postMcp, REVISIONS, type Revision } from '#test/clients/mcp-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

/** `test` with an API token, a conversation of its workspace, and `client`, which connects by revision. */
const test = serviceTest
  .extend('made', () => makeApiToken())
  .extend('opened', ({ made: { workspaceId, by } }) =>
    makeConversation({ workspaceId, teammate: by }, { subject: 'Order 20418' }),
  )
  .extend('client', ({ service, made }, { onCleanup }) => {
    const clients: Client[] = [];
    onCleanup(async () => {
      for (const client of clients) await client.close();
    });
    return async (revision?: Revision, token = made.token) => {
      const client = await connectMcp(service.url, token, revision);
      clients.push(client);
      return client;
    };
  })
  .extend(
    'write',
    ({ made: { workspaceId }, opened }) =>
      (content: string) =>
        db().message.create({
          data: { workspaceId, conversationId: opened, direction: 'inbound', authorKind: 'contact', content },
        }),
  );

describe('clients of both revisions', () => {
  test('list the same tools', async ({ client }) => {
    const [newer, older] = [await client('2026-07-28'), await client('2025-11-25')];
    expect(newer.getServerVersion()).toMatchObject({ name: 'shared-inbox', title: expect.any(String) });
    expect(newer.getInstructions()).toContain(NOTICE);
    const { tools } = await newer.listTools();
    expect((await older.listTools()).tools).toEqual(tools);
    expect(tools.map(({ name }) => name)).toEqual([...TOOLS.keys()]);
  });

  test('read the same objects, and the same text', async ({ client, opened, write }) => {
    await write('Where is my order?');
    const [newer, older] = [await client('2026-07-28'), await client('2025-11-25')];
    const both = async (name: string, args: Record<string, unknown> = {}) => {
      const [one, other] = [await callMcp(newer, name, args), await callMcp(older, name, args)];
      expect(one, name).toEqual(other);
      expect(JSON.parse(one.text), name).toEqual(one.structured);
      return one.structured;
    };
    const contactId = (await db().conversation.findUniqueOrThrow({ where: { id: opened } })).contactId;
    expect(await both('find_conversations', { status: 'open', limit: 5 })).toEqual({
      notice: NOTICE,
      data: [
        expect.objectContaining({
          id: opened,
          contact_id: contactId,
          untrusted: { subject: 'Order 20418', contact_name: 'Ada Lovelace' },
        }),
      ],
      next_cursor: null,
    });
    expect(await both('read_conversation', { conversation_id: opened })).toMatchObject({
      conversation: { id: opened },
      messages: [
        {
          direction: 'inbound',
          author_type: 'contact',
          is_partial: false,
          untrusted: { content: 'Where is my order?', attachments: [] },
        },
      ],
      next_cursor: null,
    });
    await both('search_conversations', { query: 'order' });
    expect(await both('read_contact', { contact_id: contactId })).toMatchObject({
      contact: { id: contactId, untrusted: { name: 'Ada Lovelace' } },
    });
    for (const name of ['find_contacts', 'list_teammates', 'list_teams', 'list_tags', 'list_saved_replies'])
      expect(await both(name), name).toMatchObject({ next_cursor: null });
    expect(await both('list_notes', { conversation_id: opened })).toMatchObject({ data: [] });
  });

  test('suggest a reply, which a teammate sees and nobody has sent', async ({ client, opened }) => {
    for (const revision of REVISIONS) {
      const args = { conversation_id: opened, content: `Hello, ${revision}`, reason: 'It was asked for.' };
      const { structured } = await callMcp(await client(revision), 'suggest_reply', args);
      expect(structured).toMatchObject({ conversation_id: opened, url: expect.stringContaining(opened) });
    }
    const saved = await db().suggestedReply.findMany({ where: { conversationId: opened } });
    expect(saved).toMatchObject([{ content: 'Hello, 2025-11-25', programName: 'Warehouse sync' }]);
    expect(await db().message.count({ where: { conversationId: opened } })).toBe(0);
  });

  test('speak 2025-11-25 unless their program chooses the new revision', async ({ client }) => {
    expect((await client()).getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect((await client('2026-07-28')).getNegotiatedProtocolVersion()).toBe('2026-07-28');
  });

  // The revisions differ here, as the SDK implements them.
  test.for([
    ['an unknown method', 'tools/unknown', {}, 404, 200],
    ['ping, which is gone', 'ping', {}, 404, 200],
    ['Accept: application/json alone', 'tools/list', { accept: 'application/json' }, 200, 406],
    ['subscriptions/listen', 'subscriptions/listen', {}, 200, 200],
  ] as const)(
    'get the status of their revision for %s',
    async ([, method, headers, newer, older], { service, made }) => {
      const params = method === 'subscriptions/listen' ? { notifications: {} } : {};
      const statusOf = async (revision: Revision) => {
        const sent = { revision, method, headers, params };
        const { status, body } = await postMcp(service.url, made.token, sent);
        expect(body).not.toContain('event: ping');
        return status;
      };
      expect([await statusOf('2026-07-28'), await statusOf('2025-11-25')]).toEqual([newer, older]);
    },
  );

  test('end a call by closing it, and call on', async ({ client, opened }) => {
    for (const revision of REVISIONS) {
      const one = await client(revision);
      const aborted = AbortSignal.abort();
      const call = { name: 'read_conversation', arguments: { conversation_id: opened } };
      await expect(one.callTool(call, { signal: aborted })).rejects.toThrow();
      expect((await callMcp(one, 'list_teams')).isError).toBe(false);
    }
  });
});

describe('a long text', () => {
  test('arrives in parts of 20,000 characters, which split no character, newest message first', async ({
    client,
    opened,
    write,
  }) => {
    const [first, long, last] = ['Hello', `x${'😀'.repeat(30_000)}`, 'Bye'];
    for (const content of [first, long, last]) await write(content);
    const parts = await readAll(await client('2026-07-28'), opened);
    const sizes = parts.map((each) => each.untrusted.content.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(RESULT_MAX);
    expect(parts.every(({ untrusted }) => untrusted.content.isWellFormed())).toBe(true);
    expect(parts.map(({ untrusted }) => untrusted.content).join('')).toBe([last, long, first].join(''));
    expect(parts.map(({ is_partial }) => is_partial)).toEqual([false, true, true, true, true, false]);
  });
});

type Part = { is_partial: boolean; untrusted: { content: string } };

async function readAll(client: Client, id: string): Promise<Part[]> {
  const parts: Part[] = [];
  let cursor: string | null = null;
  do {
    const args = { conversation_id: id, ...(cursor === null ? {} : { cursor }) };
    const { structured } = await callMcp(client, 'read_conversation', args);
    const page = structured as { messages: Part[]; next_cursor: string | null };
    parts.push(...page.messages);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return parts;
}

describe('a token', () => {
  test.for(ABILITIES)(
    'with only %s lists and calls exactly its tools',
    async (ability, { client, made, opened }) => {
      const where = { workspaceId: made.workspaceId, by: made.by };
      const { token } = await makeApiToken({ abilities: [ability], where });
      const one = await client('2026-07-28', token);
      const listed = (await one.listTools()).tools.map(({ name }) => name);
      for (const [name, { tool }] of TOOLS) {
        const args = {
          ...tool.example,
          ...('conversation_id' in tool.example ? { conversation_id: opened } : {}),
        };
        const { isError, text } = await callMcp(one, name, args);
        const [, missing] = /^This token needs the ability (\w+)\.$/.exec(text) ?? [];
        expect(listed.includes(name), name).toBe(missing === undefined);
        if (missing === undefined) continue;
        expect([isError, hasAbility([ability], missing as NeededAbility)], name).toEqual([true, false]);
      }
      const isWriting = ['full_access', 'suggest_replies'].includes(ability);
      expect(await db().suggestedReply.count({ where: { conversationId: opened } })).toBe(isWriting ? 1 : 0);
    },
  );

  test('that is missing, unknown or revoked gets 401, which leads to the metadata', async ({
    service,
    made,
  }) => {
    await revokeToken({ workspaceId: made.workspaceId, id: made.id, by: made.by });
    const sent = { revision: '2026-07-28', method: 'tools/list' } as const;
    for (const token of ['', 'none', `inbox_pk_live_${'0'.repeat(32)}`, made.token]) {
      const { status, headers } = await postMcp(service.url, token, sent);
      const [, metadata = ''] =
        /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
      expect([status, new URL(metadata).pathname]).toEqual([
        401,
        '/.well-known/oauth-protected-resource/mcp',
      ]);
    }
    const inQuery = await fetch(`${service.url}/mcp?access_token=${made.token}`, {
      method: 'POST',
      body: '{}',
    });
    expect(inQuery.status).toBe(401);
    const metadata = await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toEqual({
      resource: expect.stringMatching(/\/mcp$/),
      resource_name: expect.any(String),
      resource_documentation: expect.stringMatching(/\/docs$/),
      bearer_methods_supported: ['header'],
    });
  });

  test('shares its rate limit with the developer API, and its last use is recorded', async ({
    service,
    made,
  }) => {
    const sent = { revision: '2025-11-25', method: 'tools/list' } as const;
    const { headers } = await postMcp(service.url, made.token, sent);
    expect([headers.get('x-ratelimit-limit'), headers.get('request-id')]).toEqual([
      '600',
      expect.any(String),
    ]);
    const used = await db().apiToken.findUniqueOrThrow({ where: { id: made.id } });
    expect([used.lastUsedAt, used.lastUsedAddress]).toEqual([expect.any(Date), '127.0.0.1']);
    await useUpLimit(made.id, 'developer_api');
    const refused = await postMcp(service.url, made.token, sent);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
  });

  test('sees nothing of another workspace', async ({ client }) => {
    const foreign = await makeConversation(await makeConnection());
    const one = await client('2026-07-28');
    for (const name of ['read_conversation', 'list_notes'])
      expect(await callMcp(one, name, { conversation_id: foreign }), name).toMatchObject({
        isError: true,
        text: 'The conversation was not found.',
      });
    const args = { conversation_id: foreign, content: 'Hello', reason: 'None' };
    expect((await callMcp(one, 'suggest_reply', args)).isError).toBe(true);
    expect(await db().suggestedReply.count({ where: { conversationId: foreign } })).toBe(0);
  });
});

test('wrong arguments are named and not quoted', async ({ client }) => {
  const one = await client('2026-07-28');
  const { isError, text } = await callMcp(one, 'find_conversations', { status: 'SECRET', limit: 1_000 });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/^The arguments are not valid\. status: .*limit: /),
  ]);
  expect(text).not.toContain('SECRET');
  expect((await callMcp(one, 'find_contacts', { SECRET: 'Ada' })).text).toBe(
    'The arguments are not valid. The tool has only these: email, phone, company_id, updated_since, limit, cursor.',
  );
  expect((await callMcp(one, 'no_tool')).text).toBe('There is no tool with this name.');
});

test('requests of other sites, of other methods, in batches and over 1 MB are refused', async ({
  service,
  made,
}) => {
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const authorized = {
      authorization: `Bearer ${made.token}`,
      'content-type': 'application/json',
      ...headers,
    };
    const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers: authorized, body });
    await response.body?.cancel();
    return response.status;
  };
  expect(await post('{}', { origin: 'https://evil.test' })).toBe(403);
  expect(await post(JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]))).toBe(400);
  expect(await post('{')).toBe(400);
  expect(await post(JSON.stringify({ text: 'x'.repeat(1_000_001) }))).toBe(413);
  const read = await fetch(`${service.url}/mcp`);
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  await read.body?.cancel();
});
