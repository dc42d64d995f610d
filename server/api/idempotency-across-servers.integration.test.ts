import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { test as idempotencyTest } from '#test/fixtures/idempotency-test.ts';
import { until } from '#test/fixtures/until.ts';
import { type ServerProcess, startServerProcess } from '#test/servers/service-processes.ts';

const test = idempotencyTest
  .extend('servers', { scope: 'file' }, ({ service: _ }, { onCleanup }) => startServers(onCleanup))
  .extend('addNote', ({ connection, notesPath }) => noteSender(connection, notesPath));

test('the same request to two servers at the same time runs once', async ({
  servers,
  addNote,
  countNotes,
}) => {
  const before = await countNotes();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => addNote(servers[n % 2 === 0 ? 0 : 1], 'both')),
  );
  const ran = responses.filter(
    ({ status, headers }) => status === 201 && headers['idempotent-replayed'] === undefined,
  );
  expect(ran).toHaveLength(1);
  for (const { status } of responses) expect([201, 409]).toContain(status);
  expect(await countNotes()).toBe(before + 1);
});

test('a server that dies within a request blocks its key until the lease expires, and changes nothing', async ({
  servers,
  conversation,
  addNote,
  countNotes,
}) => {
  const before = await countNotes();
  const [dying, other] = servers;
  await withHeldRow(conversation, async () => {
    const lost = addNote(dying, 'crash').catch(() => 'lost');
    await until('the request waits for the row', async () => (await countLockWaiters()) > 0);
    await dying.kill();
    expect(await lost).toBe('lost');
    expect((await addNote(other, 'crash')).status).toBe(409);
  });
  await until(
    'the database has ended the session of the dead server',
    async () => (await countLockWaiters()) === 0,
  );
  expect(await countNotes()).toBe(before);
  await pool().query("update idempotency_keys set leased_until = now() where key = 'crash'");
  const again = await addNote(other, 'crash');
  expect(again).toMatchObject({ status: 201 });
  expect(again.headers['idempotent-replayed']).toBeUndefined();
  expect(await countNotes()).toBe(before + 1);
});

async function startServers(onCleanup: (stop: () => Promise<void>) => void) {
  const servers: [ServerProcess, ServerProcess] = await Promise.all([
    startServerProcess(),
    startServerProcess(),
  ]);
  onCleanup(async () => {
    await Promise.all(servers.map((server) => server.kill()));
  });
  return servers;
}

/** Returns a function that adds a note through a server. */
function noteSender({ accessToken }: { accessToken: string }, notesPath: string) {
  return ({ url }: ServerProcess, key: string) =>
    rawRequest(url, {
      method: 'POST',
      path: `${API_PATH}${notesPath}`,
      headers: { host: 'inbox.test', authorization: `Bearer ${accessToken}`, 'idempotency-key': key },
      body: '{"content":"Look"}',
    });
}

/** Locks the conversation's row during `work`, so that changes to it wait. */
async function withHeldRow<T>(id: string, work: () => Promise<T>): Promise<T> {
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
