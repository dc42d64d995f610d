import { afterAll, beforeAll, expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';
import { type ServerProcess, startServerProcess } from '#test/servers/service-processes.ts';
import { setTestSettings } from '#test/servers/settings.ts';

let database: TestDatabase;
let servers: [ServerProcess, ServerProcess];
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeAll(async () => {
  database = await createTestDatabase();
  setTestSettings({ DATABASE_URL: database.url });
  connection = await makeConnection();
  id = await makeConversation(connection, { channel: 'webchat' });
  servers = await Promise.all([startServerProcess(), startServerProcess()]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await closeDatabase();
  await database.drop();
});

const addNote = ({ url }: ServerProcess, key: string) =>
  rawRequest(url, {
    method: 'POST',
    path: `${API_PATH}/conversations/${id}/notes`,
    headers: {
      host: 'inbox.test',
      authorization: `Bearer ${connection.accessToken}`,
      'idempotency-key': key,
    },
    body: '{"content":"Look"}',
  });
const notes = () => db().note.count({ where: { conversationId: id } });

/** Holds the conversation's row while something is done, so that a change of it waits. */
async function withHeldRow<T>(work: () => Promise<T>): Promise<T> {
  const { promise: done, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const holding = db().$transaction(async (tx) => {
    await tx.$executeRaw`select from conversations where id = ${id}::uuid for update`;
    hold();
    await done;
  });
  await held;
  try {
    return await work();
  } finally {
    release();
    await holding;
  }
}

test('of the same request to two servers at the same time, one runs', async () => {
  const before = await notes();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => addNote(servers[n % 2 === 0 ? 0 : 1], 'both')),
  );
  const ran = responses.filter(
    ({ status, headers }) => status === 201 && headers['idempotent-replayed'] === undefined,
  );
  expect(ran).toHaveLength(1);
  for (const { status } of responses) expect([201, 409]).toContain(status);
  expect(await notes()).toBe(before + 1);
});

test('a server that dies within a request blocks its key until the lease expires, and changes nothing', async () => {
  const before = await notes();
  const [dying, other] = servers;
  await withHeldRow(async () => {
    const lost = addNote(dying, 'crash').catch(() => 'lost');
    await until('the request waits for the row', async () => (await countLockWaiters()) > 0);
    await dying.kill();
    expect(await lost).toBe('lost');
    expect((await addNote(other, 'crash')).status).toBe(409);
  });
  await until('the database has noticed', async () => (await countLockWaiters()) === 0);
  expect(await notes()).toBe(before);
  await pool().query("update idempotency_keys set leased_until = now() where key = 'crash'");
  const again = await addNote(other, 'crash');
  expect(again).toMatchObject({ status: 201 });
  expect(again.headers['idempotent-replayed']).toBeUndefined();
  expect(await notes()).toBe(before + 1);
});
