import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { revokeToken } from '#server/automation/tokens/api-tokens.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { callMcp, connectMcp, postMcp, REVISIONS, type Revision } from '#test/clients/mcp-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

/** `test` with a token that may only write conversations, a web chat of its workspace, and `call` by revision. */
const test = serviceTest
  .extend('made', ({ teammates: { workspaceId, owner } }) =>
    makeApiToken({ abilities: ['write_conversations'], where: { workspaceId, by: owner } }),
  )
  .extend('opened', ({ teammates: { workspaceId, owner } }) =>
    makeConversation({ workspaceId, teammate: owner }, { channel: 'webchat' }),
  )
  .extend(
    'call',
    ({ service, made, opened }) =>
      async (name: string, args: Record<string, unknown>, revision: Revision = '2026-07-28') => {
        const client = await connectMcp(service.url, made.token, revision);
        try {
          return await callMcp(client, name, { conversation_id: opened, ...args });
        } finally {
          await client.close();
        }
      },
  );

describe.each(REVISIONS)('a program of revision %s', (revision) => {
  test('sends a reply in the name of the workspace or of a teammate, and adds a note', async ({
    call,
    opened,
    teammates: { agent },
  }) => {
    const sent = await call('send_reply', { content: 'It arrives today.' }, revision);
    expect(sent.structured).toMatchObject({
      conversation_id: opened,
      send_status: null,
      untrusted: { delivery_error: null },
    });
    await call('send_reply', { content: 'See you.', author_id: agent.id }, revision);
    expect(await call('add_note', { content: 'Answered.' }, revision)).toMatchObject({ isError: false });
    const which = { where: { conversationId: opened }, orderBy: { createdAt: 'asc' } as const };
    expect(await db().message.findMany(which)).toMatchObject([
      { content: 'It arrives today.', authorKind: 'program', authorId: null },
      { content: 'See you.', authorKind: 'program', authorId: agent.id },
    ]);
    expect(await db().note.findMany(which)).toMatchObject([{ content: 'Answered.', authorKind: 'program' }]);
  });

  test.for([
    ['a tag', 'add_tags', { tags: ['VIP'] }, { tags: ['VIP'] }],
    ['no such tag', 'remove_tag', { tag: 'none' }, { tags: [] }],
    ['a status', 'change_status', { status: 'solved' }, { status: 'solved' }],
    [
      'nobody',
      'assign_conversation',
      { assignee_id: 'none', team_id: 'none' },
      { assignee: null, team: null },
    ],
    [
      'a snooze of many years',
      'snooze_conversation',
      { until: '2099-01-01T00:00:00Z' },
      'within the next year',
    ],
    ['a snooze in words', 'snooze_conversation', { until: 'tomorrow' }, 'ISO 8601'],
    ['an unknown status', 'change_status', { status: 'gone' }, 'status: '],
    ['no change', 'assign_conversation', {}, 'Send at least one of'],
    ['an unknown assignee', 'assign_conversation', { assignee_id: randomUUID() }, 'assignee'],
    ['a long tag', 'add_tags', { tags: ['x'.repeat(41)] }, 'at most 40'],
    ['a long reply', 'send_reply', { content: 'x'.repeat(8_001) }, 'at most 8,000'],
    ['an unknown author', 'send_reply', { content: 'Hello', author_id: randomUUID() }, 'author'],
    ['a blank reply', 'send_reply', { content: ' ' }, 'content'],
  ] as const)(
    'sends %s, and gets the changed conversation or a sentence',
    async ([, name, args, expected], { call, opened }) => {
      await db().conversationTag.deleteMany({ where: { conversationId: opened } });
      const { isError, text, structured } = await call(name, args, revision);
      if (typeof expected === 'string')
        expect([isError, text]).toEqual([true, expect.stringContaining(expected)]);
      else expect(structured).toMatchObject({ conversation: { id: opened, ...expected } });
      if (typeof expected === 'string')
        expect(await db().message.count({ where: { conversationId: opened } })).toBe(0);
    },
  );
});

test('a snooze ends when it is asked to', async ({ call }) => {
  const until = new Date(Date.now() + 86_400_000).toISOString();
  expect((await call('snooze_conversation', { until })).structured).toMatchObject({
    conversation: { status: 'pending', snoozed_until: until.replace('Z', '+00:00') },
  });
  expect((await call('snooze_conversation', { until: 'none' })).structured).toMatchObject({
    conversation: { snoozed_until: null },
  });
});

test('a repeated call with the same key runs once, also in parallel and in both revisions', async ({
  call,
  opened,
}) => {
  const reply = { content: 'Once', idempotency_key: 'reply-1' };
  const results = await Promise.all(REVISIONS.map((revision) => call('send_reply', reply, revision)));
  const done = results.filter(({ isError }) => !isError);
  expect(done.length).toBeGreaterThanOrEqual(1);
  for (const { isError, text } of results) if (isError) expect(text).toContain('in progress');
  expect(await call('send_reply', reply)).toEqual(done[0]);
  const { isError, text } = await call('send_reply', { ...reply, content: 'Twice' });
  expect([isError, text]).toEqual([true, expect.stringContaining('already used')]);
  await call('add_note', { content: 'Once', idempotency_key: 'note-1' });
  await call('add_note', { content: 'Once', idempotency_key: 'note-1' });
  expect(await db().message.count({ where: { conversationId: opened } })).toBe(1);
  expect(await db().note.count({ where: { conversationId: opened } })).toBe(1);
  expect((await call('add_note', { content: 'x', idempotency_key: 'ä' })).text).toContain('visible ASCII');
});

test('a reply with an argument that the tool does not have is not sent, such as a key that would be ignored', async ({
  call,
  opened,
}) => {
  const { isError, text } = await call('send_reply', { content: 'Once', idempotencyKey: 'reply-1' });
  expect([isError, text]).toEqual([true, expect.stringMatching(/only these: .*, idempotency_key\.$/)]);
  expect(await db().message.count({ where: { conversationId: opened } })).toBe(0);
});

test('nothing is written in another workspace, or with a token that is revoked', async ({
  call,
  made,
  service,
}) => {
  const foreign = await makeConversation(await makeConnection());
  for (const [name, args] of [
    ['send_reply', { content: 'Hello' }],
    ['add_note', { content: 'Hello' }],
    ['add_tags', { tags: ['x'] }],
    ['change_status', { status: 'closed' }],
  ] as const)
    expect(await call(name, { conversation_id: foreign, ...args }), name).toMatchObject({
      isError: true,
      text: 'The conversation was not found.',
    });
  expect(await db().message.count({ where: { conversationId: foreign } })).toBe(0);
  await revokeToken({ workspaceId: made.workspaceId, id: made.id, by: made.by });
  const params = { name: 'send_reply', arguments: { conversation_id: foreign, content: 'Hello' } };
  const sent = { revision: '2026-07-28', method: 'tools/call', params } as const;
  expect((await postMcp(service.url, made.token, sent)).status).toBe(401);
});

test.for([
  ['send_reply', { content: 'Hello' }],
  ['send_reply', { content: 'Hello', idempotency_key: 'revoked' }],
  ['add_note', { content: 'Hello' }],
  ['add_tags', { tags: ['x'] }],
  ['change_status', { status: 'solved' }],
] as const)(
  '%s %j is rolled back when its token is revoked while it is under way',
  async ([name, args], { made, opened, service }) => {
    const stateOf = async () => [
      await db().conversation.findUniqueOrThrow({ where: { id: opened }, include: { tags: true } }),
      await db().message.count({ where: { conversationId: opened } }),
      await db().note.count({ where: { conversationId: opened } }),
    ];
    const before = await stateOf();
    const client = await connectMcp(service.url, made.token, '2026-07-28');
    const revoking = await pool().connect();
    try {
      await revoking.query('begin');
      await revoking.query('update api_tokens set revoked_at = now() where id = $1', [made.id]);
      const result = callMcp(client, name, { conversation_id: opened, ...args });
      await until('the write waits for the token', async () => (await countLockWaiters()) > 0);
      await revoking.query('commit');
      const text = 'The API token is missing, unknown, expired or revoked.';
      expect(await result).toMatchObject({ isError: true, text });
    } finally {
      revoking.release();
      await client.close();
    }
    expect(await stateOf()).toEqual(before);
  },
);

test('a program that closes its request waits for nothing, and its other calls go on', async ({
  made,
  opened,
  service,
}) => {
  for (const revision of REVISIONS) {
    const client = await connectMcp(service.url, made.token, revision);
    const holding = await pool().connect();
    try {
      await holding.query('begin');
      await holding.query('select from conversations where id = $1 for update', [opened]);
      const closing = new AbortController();
      const args = { conversation_id: opened, content: 'Hello' };
      const closed = client.callTool({ name: 'add_note', arguments: args }, { signal: closing.signal });
      await until('the call waits', async () => (await countLockWaiters()) > 0);
      closing.abort();
      await expect(closed).rejects.toThrow();
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    } finally {
      await holding.query('rollback');
      holding.release();
      await client.close();
    }
    await until('the call ended', async () => (await countLockWaiters()) === 0);
  }
});
