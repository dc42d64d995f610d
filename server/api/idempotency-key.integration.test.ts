import { describe, expect } from 'vitest';
import { removeOldIdempotencyKeys } from '#server/api/idempotency-keys.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import type { ApiResponse } from '#test/clients/api-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/idempotency-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

describe('the same request with the same key', () => {
  test.for(requests())(
    'creates %s once, and gets the first response again',
    async ([_what, path, body, status], { connection, conversation, emailConversation, post }) => {
      const at = { conversation, emailConversation };
      const counted = async () => {
        const { workspaceId } = connection;
        const where = { workspaceId };
        return Promise.all([
          db().contact.count({ where }),
          db().conversation.count({ where }),
          db().message.count({ where }),
          db().note.count({ where }),
          db().tagging.count({ where }),
          db().hook.count({ where }),
        ]);
      };
      const first = await post(path(at), body(1));
      expect(first.status).toBe(status);
      expect(replayed(first)).toBeNull();
      const after = await counted();
      const again = await post(path(at), body(1));
      expect(again).toMatchObject({ status, body: first.body });
      expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
      expect(replayed(again)).toBe('true');
      expect(await counted()).toEqual(after);
    },
  );

  test('has the same JSON as a response without a key', async ({
    api,
    conversation,
    emailConversation,
    key,
    post,
  }) => {
    const at = { conversation, emailConversation };
    for (const [, path, body] of requests()) {
      const plain = await api('POST', path(at), body(1));
      const keyed = await post(path(at), body(2), `${key}-${path(at)}`);
      expect(Object.keys(keyed.body as object)).toEqual(Object.keys(plain.body as object));
    }
  });

  test('gets a refusal again, even if the call would now succeed', async ({ key, post }) => {
    const body = { name: 'Ada', email: 'taken@elsewhere.test' };
    const { id } = (await post('/contacts', body, `${key}-first`)).body as { id: string };
    const refused = await post('/contacts', body);
    expect(refused.status).toBe(422);
    await db().contact.delete({ where: { id } });
    const again = await post('/contacts', body);
    expect(again).toMatchObject({ status: 422, body: refused.body });
    expect(replayed(again)).toBe('true');
  });

  test('is refused once its conversation was deleted or marked as spam', async ({
    connection,
    conversation,
    emailConversation,
    key,
    post,
  }) => {
    for (const [what, path, body, status] of requests()) {
      if (!path({ conversation, emailConversation }).startsWith('/conversations')) continue;
      const send = () =>
        post(path({ conversation, emailConversation }), body(1), `${key}-${what.replaceAll(' ', '-')}`);
      expect((await send()).status).toBe(status);
      const remove = (removal: 'spam' | 'deleted' | null) =>
        db().conversation.updateMany({
          where: { workspaceId: connection.workspaceId },
          data: { removal, removedAt: removal && new Date() },
        });
      for (const removal of ['spam', 'deleted'] as const) {
        await remove(removal);
        const { status: refused, body: sentence } = await send();
        expect([what, refused]).toEqual([what, what === 'a conversation' ? 422 : 404]);
        expect(JSON.stringify(sentence)).toMatch(/conversation .*was (deleted since|not found)/);
      }
      await remove(null);
      expect((await send()).status).toBe(status);
    }
  });

  test('is replayed if the id in the path is percent-encoded', async ({ conversation, post }) => {
    const path = `/conversations/${conversation.replaceAll('-', '%2D')}/notes`;
    const first = await post(path, { content: 'Look' });
    expect(first.status).toBe(201);
    expect(await post(path, { content: 'Look' })).toMatchObject({ status: 201, body: first.body });
  });

  test('runs again after 24 hours, and old keys are removed', async ({
    key,
    post,
    notesPath,
    countNotes,
  }) => {
    await post(notesPath, { content: 'Look' });
    const before = await countNotes();
    const age = () =>
      pool().query("update idempotency_keys set created_at = now() - interval '24 hours' where key = $1", [
        key,
      ]);
    await age();
    const again = await post(notesPath, { content: 'Another body' });
    expect(again.status).toBe(201);
    expect(replayed(again)).toBeNull();
    expect(await countNotes()).toBe(before + 1);
    await age();
    expect(await removeOldIdempotencyKeys()).toBe(1);
    expect(await db().idempotencyKey.count({ where: { key } })).toBe(0);
  });
});

describe('the same key', () => {
  test('with another body or path is refused', async ({ conversation, post, notesPath, countNotes }) => {
    await post(notesPath, { content: 'Look' });
    const before = await countNotes();
    for (const [path, body] of [
      [notesPath, { content: 'Another' }],
      [`/conversations/${conversation}/replies`, { content: 'Look' }],
    ] as const) {
      const refused = await post(path, body);
      const message =
        'This Idempotency-Key was already used with another path or body. Use a new key for a new request.';
      expect(refused).toMatchObject({
        status: 422,
        body: { message, errors: { 'Idempotency-Key': [message] } },
      });
      expect(replayed(refused)).toBeNull();
    }
    expect(await countNotes()).toBe(before);
  });

  test('of another connection is another key, and case matters', async ({ key, post }) => {
    const other = await makeConnection();
    const first = await post('/contacts', { name: 'Ada' });
    const theirs = await post('/contacts', { name: 'Ada' }, key, other);
    const upper = await post('/contacts', { name: 'Ada' }, key.toUpperCase());
    const ids = [first, theirs, upper].map(({ body }) => (body as { id: string }).id);
    expect(new Set(ids).size).toBe(3);
  });

  test('is only read on POST', async ({ api, conversation }) => {
    const headers = { 'idempotency-key': '' };
    expect((await api('GET', '/me', undefined, headers)).status).toBe(200);
    expect((await api('PATCH', `/conversations/${conversation}`, { priority: 'high' }, headers)).status).toBe(
      200,
    );
  });
});

test.for([
  ['an empty key', ''],
  ['a key with a space', 'a b'],
  ['a key beyond ASCII', 'caf\u00e9'],
  ['a key of 256 characters', 'k'.repeat(256)],
] as const)(
  '%s is refused before the body is read, and the message names the header',
  async ([_what, sent], { post, notesPath }) => {
    const refused = await post(notesPath, '{', sent);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'The Idempotency-Key header must have 1 to 255 visible ASCII characters.' },
    });
  },
);

test('a key may have 255 characters', async ({ post, notesPath }) => {
  expect((await post(notesPath, { content: 'Look' }, '~'.repeat(255))).status).toBe(201);
});

test('a malformed body and a refusal by the rate limit do not use up the key', async ({
  key,
  post,
  notesPath,
}) => {
  expect((await post(notesPath, '{')).status).toBe(422);
  const other = await makeConnection();
  await useUpLimit(other.id);
  expect((await post('/contacts', { name: 'Ada' }, key, other)).status).toBe(429);
  expect(await db().idempotencyKey.count({ where: { key } })).toBe(0);
});

describe('while the first request runs', () => {
  test('the same key gets 409 with Retry-After, on every server, and one request runs', async ({
    conversation,
    post,
    notesPath,
    countNotes,
  }) => {
    const before = await countNotes();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = db().$transaction(async (tx) => {
      await tx.$executeRaw`select from conversations where id = ${conversation}::uuid for update`;
      lock();
      await released;
    });
    await locked;
    const first = post(notesPath, { content: 'Look' });
    await until('the first request waits for the row', async () => (await countLockWaiters()) > 0);
    const others = await Promise.all(Array.from({ length: 10 }, () => post(notesPath, { content: 'Look' })));
    for (const other of others) {
      expect(other).toMatchObject({
        status: 409,
        body: {
          message: 'The first request with this Idempotency-Key is still in progress. Try again in a second.',
        },
      });
      expect(other.headers.get('retry-after')).toBe('1');
    }
    release();
    await holding;
    expect((await first).status).toBe(201);
    expect(replayed(await post(notesPath, { content: 'Look' }))).toBe('true');
    expect(await countNotes()).toBe(before + 1);
  });

  test('of 20 simultaneous requests one runs', async ({ post, notesPath, countNotes }) => {
    const before = await countNotes();
    const all = await Promise.all(Array.from({ length: 20 }, () => post(notesPath, { content: 'Look' })));
    const ran = all.filter((one) => one.status === 201 && replayed(one) === null);
    expect(ran).toHaveLength(1);
    expect(all.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await countNotes()).toBe(before + 1);
  });
});

describe('a call with the header sends one more statement than without it, and a reply that is sent at once two', () => {
  test.for(requests())(
    '%s',
    async ([what, path, body, status], { api, key, conversation, emailConversation }) => {
      const counted = async (n: number, headers: Record<string, string>) => {
        const at = path({ conversation, emailConversation });
        const sent = await statementsOf(async () => {
          expect((await api('POST', at, body(n), headers)).status).toBe(status);
        });
        // Batched after the commit: moving jobs and waking workers.
        return sent.filter(({ text }) => !/pg_notify|delete from job_outbox/.test(text)).length;
      };
      // The first call writes what later ones find, such as the connection's last use.
      await counted(1, {});
      const without = await counted(2, {});
      const more = what === 'a reply by email' ? 2 : 1;
      expect(await counted(3, { 'idempotency-key': key })).toBeLessThanOrEqual(without + more);
    },
  );
});

const replayed = ({ headers }: ApiResponse) => headers.get('idempotent-replayed');

/** Requests as [what is created, path, body with a number that makes it unique, status]. */
function requests(): [string, (at: Conversations) => string, (n: number) => unknown, number][] {
  return [
    ['a contact', () => '/contacts', (n) => ({ name: `Ada ${n}`, phone: `${n}` }), 201],
    [
      'a conversation',
      () => '/conversations',
      (n) => ({ to_email: `ada${n}@elsewhere.test`, subject: 'Order', content: 'Hello' }),
      201,
    ],
    [
      'a reply',
      ({ conversation }) => `/conversations/${conversation}/replies`,
      () => ({ content: 'Hello' }),
      201,
    ],
    [
      'a reply by email',
      ({ emailConversation }) => `/conversations/${emailConversation}/replies`,
      () => ({ content: 'Hello' }),
      201,
    ],
    [
      'a note',
      ({ conversation }) => `/conversations/${conversation}/notes`,
      () => ({ content: 'Look' }),
      201,
    ],
    [
      'tags',
      ({ conversation }) => `/conversations/${conversation}/tags`,
      (n) => ({ tags: [`tag ${n}`] }),
      200,
    ],
    [
      'a hook',
      () => '/hooks',
      () => ({ event: 'contact.created', target_url: `https://${PLATFORM.hooksHost}/hook` }),
      201,
    ],
  ];
}

type Conversations = { conversation: string; emailConversation: string };
