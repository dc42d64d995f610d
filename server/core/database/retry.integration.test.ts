import { createServer, type Server, Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolClient } from 'pg';
import { describe, expect } from 'vitest';
import { isDatabaseAway } from '#server/core/database/errors.ts';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { PrismaClient } from '#server/generated/prisma/client.ts';
import { brokenOff } from '#test/faults/break-off.ts';
import { answered, attemptedDelivery, record } from '#test/fixtures/attempts.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('the database counts as unreachable', () => {
  test.each([
    { what: 'when nothing listens', code: 'ECONNREFUSED', message: '' },
    { what: 'when it starts', code: '57P03', message: 'the database system is starting up' },
    { what: 'when it shuts down', code: '57P03', message: 'the database system is shutting down' },
    { what: 'when it has no free connection', code: '53300', message: 'sorry, too many clients already' },
    { what: 'when it closes the connection', code: '', message: '' },
  ])('$what, for every kind of query', async ({ code, message }) => {
    const server = await startRefusing(code, message);
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    if (code === 'ECONNREFUSED') await new Promise((resolve) => server.close(resolve));
    const connectionString = `postgresql://nobody@127.0.0.1:${port}/none`;
    const silence = { onPoolError: () => undefined, onConnectionError: () => undefined };
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }, silence) });
    const pool = new Pool({ connectionString });
    for (const outcome of await Promise.allSettled(queryInEveryWay(prisma, pool))) {
      expect(outcome.status === 'rejected' && isDatabaseAway(outcome.reason)).toBe(true);
    }
    await prisma.$disconnect();
    await pool.end();
    server.close();
  });

  test.each([
    ['ENOTFOUND', 'its name is unknown, as while its container starts'],
    ['EAI_AGAIN', 'the name server does not respond'],
    ['EHOSTUNREACH', 'its machine is off'],
    ['ENETUNREACH', 'its network is down'],
  ])('with %s, because %s, for every kind of query', async (code) => {
    const pool = new Pool({ connectionString: settings().DATABASE_URL, stream: () => unconnectable(code) });
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    for (const outcome of await Promise.allSettled(queryInEveryWay(prisma, pool))) {
      expect(outcome.status === 'rejected' && isDatabaseAway(outcome.reason)).toBe(true);
    }
    await prisma.$disconnect();
    await pool.end();
  });

  test('when every connection of the pool is in use, for every kind of query', async () => {
    const { pool, inUse } = await fillPool();
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    const outcomes = await Promise.allSettled(queryInEveryWay(prisma, pool));
    inUse.release();
    await prisma.$disconnect();
    await pool.end();
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && isDatabaseAway(outcome.reason)).toBe(true);
    }
  });

  test('but not when it refuses a statement', async () => {
    const { workspaceId } = await makeConnection();
    const twice = db().workspace.create({ data: { id: workspaceId, name: 'Acme', plan: 'growth' } });
    const wrong = db().$queryRaw`select 1 / 0`;
    for (const outcome of await Promise.allSettled([twice, wrong])) {
      expect(outcome.status === 'rejected' && isDatabaseAway(outcome.reason)).toBe(false);
    }
  });
});

test('work that must not be lost waits for a connection of a full pool', async () => {
  const { pool, inUse } = await fillPool();
  setTimeout(() => inUse.release(), 2 * POOL_WAIT_MS);
  const work = retryWhileDatabaseAway(() => pool.query('select 1 as one'));
  await work.finally(() => pool.end());
  expect((await work).rows).toEqual([{ one: 1 }]);
});

describe('an attempt is recorded once, whichever statement loses its connection', () => {
  test.each([
    { status: 200, how: 'is cut before' as const, statements: 1 },
    { status: 200, how: 'is cut during' as const, statements: 1 },
    { status: 410, how: 'is cut before' as const, statements: 8 },
    { status: 410, how: 'is cut during' as const, statements: 8 },
  ])('response $status, a connection that $how', async ({ status, how, statements }) => {
    for (let at = 1; at <= statements; at += 1) {
      const hook = await makeHook(await makeConnection());
      const delivery = await attemptedDelivery(hook);
      const error = await brokenOff(
        () => retryWhileDatabaseAway(() => record(delivery, 1, answered(status))),
        {
          at,
          how,
          url: settings().DATABASE_URL,
        },
      );
      expect(error).toBeUndefined();
      expect(await db().attempt.count({ where: { deliveryId: delivery.id } })).toBe(1);
      expect(await db().delivery.count({ where: { hookId: hook.id, endedAt: null } })).toBe(0);
      const { removalReason } = await db().hook.findUniqueOrThrow({ where: { id: hook.id } });
      expect(removalReason).toBe(status === 410 ? 'gone' : null);
    }
  });
});

/** Returns a socket whose connecting fails. */
function unconnectable(code: string): Socket {
  const socket = new Socket();
  socket.connect = () => socket.destroy(Object.assign(new Error(`connect ${code}`), { code }));
  return socket;
}

function queryInEveryWay(prisma: PrismaClient, pool: Pool): Promise<unknown>[] {
  return [
    prisma.$transaction((tx) => tx.user.count()),
    prisma.user.count(),
    prisma.$queryRaw`select 1`,
    pool.query('select 1'),
  ];
}

const POOL_WAIT_MS = 100;

/** Returns a pool whose only connection is in use. Its timeout starts afterwards, so that connecting may be slow. */
async function fillPool(): Promise<{ pool: Pool; inUse: PoolClient }> {
  const pool = new Pool({ connectionString: settings().DATABASE_URL, max: 1 });
  const inUse = await pool.connect();
  pool.options.connectionTimeoutMillis = POOL_WAIT_MS;
  return { pool, inUse };
}

/** Replaces PostgreSQL with a server that responds to every connection with this error, or closes it. */
async function startRefusing(code: string, message: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
      const head = Buffer.from([0x45, 0, 0, 0, 0]);
      head.writeInt32BE(4 + fields.length, 1);
      socket.end(code === '' ? '' : Buffer.concat([head, fields]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
