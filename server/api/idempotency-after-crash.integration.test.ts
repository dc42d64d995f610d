import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { failBrokenOff } from '#server/inbox/messages/send-queued-message.ts';
import type { ApiResponse } from '#test/clients/api-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { test } from '#test/fixtures/idempotency-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

describe('after a crash', () => {
  test('before the commit, the key is free once its lease has expired', async ({ key, post, notesPath }) => {
    await post(notesPath, { content: 'Look' });
    await pool().query(
      `update idempotency_keys set status = null, response = null, leased_until = now() + interval '1 minute'
       where key = $1`,
      [key],
    );
    expect((await post(notesPath, { content: 'Look' })).status).toBe(409);
    await expireLease(key);
    const again = await post(notesPath, { content: 'Look' });
    expect(again.status).toBe(201);
    expect(replayed(again)).toBeNull();
  });

  test.for(['note', 'hook'] as const)(
    'a %s of a request that lost its key to a later one is not created',
    async (what, { connection, conversation, key, post, notesPath, countNotes }) => {
      const { workspaceId } = connection;
      const { path, body, count, lock } = {
        note: {
          path: notesPath,
          body: { content: 'Look' },
          count: countNotes,
          lock: Prisma.sql`select from conversations where id = ${conversation}::uuid for update`,
        },
        hook: {
          path: '/hooks',
          body: { event: 'contact.created', target_url: `https://${PLATFORM.hooksHost}/hook` },
          count: () => db().hook.count({ where: { workspaceId } }),
          lock: Prisma.sql`select from workspaces where id = ${workspaceId}::uuid for no key update`,
        },
      }[what];
      const before = await count();
      const { promise: locked, resolve: release } = Promise.withResolvers<void>();
      const holding = db().$transaction(
        async (tx) => {
          await tx.$executeRaw(lock);
          await locked;
        },
        { timeout: 120_000 },
      );
      const slow = post(path, body);
      await until('the slow request waits', async () => (await countLockWaiters()) === 1);
      await expireLease(key);
      const later = post(path, body);
      await until('the later request waits', async () => (await countLockWaiters()) === 2);
      release();
      await holding;
      const statuses = [(await slow).status, (await later).status];
      expect(statuses).toEqual([409, 201]);
      expect(await count()).toBe(before + 1);
    },
  );

  test('between saving and sending a reply, the response has the reply’s current state', async ({
    conversation,
    key,
    post,
  }) => {
    const path = `/conversations/${conversation}/replies`;
    const first = (await post(path, { content: 'Hello' })).body as { id: string };
    const started = new Date(Date.now() - 120_000);
    const where = { id: first.id };
    await db().message.update({ where, data: { sendStatus: 'sending', sendStartedAt: started } });
    await expireLease(key);
    expect((await post(path, { content: 'Hello' })).status).toBe(409);
    const messages = await db().message.count({ where: { conversationId: conversation } });
    await failBrokenOff();
    const again = await post(path, { content: 'Hello' });
    expect(again).toMatchObject({
      status: 201,
      body: { id: first.id, send_status: 'failed', delivery_error: expect.stringContaining('interrupted') },
    });
    expect(replayed(again)).toBe('true');
    expect(await db().message.count({ where: { conversationId: conversation } })).toBe(messages);
  });
});

test('a reply whose outcome could not be recorded still has the first response', async ({
  emailConversation,
  post,
}) => {
  const path = `/conversations/${emailConversation}/replies`;
  await pool().query(`
    create function refuse_outcome() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse_outcome before update of send_status on messages
    for each row when (new.send_status is distinct from 'sending') execute function refuse_outcome()`);
  const first = await post(path, { content: 'Hello' });
  await pool().query('drop trigger refuse_outcome on messages; drop function refuse_outcome');
  const { id } = first.body as { id: string };
  await db().message.update({ where: { id }, data: { sendStartedAt: new Date(Date.now() - 120_000) } });
  // A final response has no lease.
  await pool().query('update idempotency_keys set leased_until = now() where leased_until is not null');
  await failBrokenOff();
  const again = await post(path, { content: 'Hello' });
  expect(again.body).toEqual(first.body);
  expect(first.body).toMatchObject({ delivery_error: null });
});

test('a fault of the service frees the key, and the change is undone', async ({
  post,
  notesPath,
  countNotes,
}) => {
  const before = await countNotes();
  await pool().query('alter table notes rename to notes_gone');
  try {
    expect((await post(notesPath, { content: 'Look' })).status).toBe(500);
  } finally {
    await pool().query('alter table notes_gone rename to notes');
  }
  expect((await post(notesPath, { content: 'Another' })).status).toBe(422);
  const again = await post(notesPath, { content: 'Look' });
  expect(again.status).toBe(201);
  expect(replayed(again)).toBeNull();
  expect(await countNotes()).toBe(before + 1);
});

const replayed = ({ headers }: ApiResponse) => headers.get('idempotent-replayed');

/** Makes the process that holds the key look as if it had stopped a while ago. */
const expireLease = (key: string) =>
  pool().query("update idempotency_keys set leased_until = now() - interval '1 second' where key = $1", [
    key,
  ]);
