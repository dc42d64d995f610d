import { describe, expect } from 'vitest';
import { endUnexchangedConnections } from '#server/automation/connections/end-all-connections.ts';
import { db } from '#server/core/database/prisma.ts';
import { makeCode, makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';

describe('docs/rulings.md 4.1: a connection whose code was not exchanged within ten minutes', () => {
  test('ends, frees the slot and is recorded; its code is refused afterwards', async ({ platform }) => {
    const { id, workspaceId, code } = await makeWaitingConnection({ plan: 'starter' });
    await expire(id);
    expect(await endUnexchangedConnections()).toBe(1);
    expect(await endOf(id)).toBe('never_exchanged');
    expect(await used(workspaceId)).toBe(0);
    const entries = await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } });
    expect(entries).toMatchObject([{ connectionId: id, userId: null, data: { reason: 'never_exchanged' } }]);
    await db().$executeRaw`update authorization_codes set expires_at = now() + interval '1 minute'`;
    expect((await platform.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await endUnexchangedConnections()).toBe(0);
  });

  test('stays active until then, however often the job runs', async ({ platform }) => {
    const { id, code } = await makeWaitingConnection();
    expect(await endUnexchangedConnections()).toBe(0);
    expect(await endOf(id)).toBeNull();
    expect((await platform.exchange(code)).status).toBe(200);
  });

  test('exchanged connections stay active, however old', async () => {
    const { id } = await makeConnection();
    await expire(id);
    expect(await endUnexchangedConnections()).toBe(0);
    expect(await endOf(id)).toBeNull();
  });

  test('a colleague’s connection keeps the slot', async () => {
    const { workspaceId, teammate } = await makeConnection();
    await makeCode(workspaceId, teammate);
    const waiting = await db().connection.findFirstOrThrow({ where: { workspaceId, exchangedAt: null } });
    await expire(waiting.id);
    expect(await endUnexchangedConnections()).toBe(1);
    expect(await used(workspaceId)).toBe(1);
  });

  test('ten concurrent jobs end and count it once', async () => {
    const { id, workspaceId } = await makeWaitingConnection();
    await expire(id);
    const counts = await Promise.all(Array.from({ length: 10 }, () => endUnexchangedConnections()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(await db().auditEntry.count({ where: { workspaceId, kind: 'connection_ended' } })).toBe(1);
  });
});

const used = (workspaceId: string) => db().integration.count({ where: { workspaceId } });

const expire = (id: string) =>
  db().$executeRaw`update authorization_codes set expires_at = now() where connection_id = ${id}::uuid`;
const endOf = async (id: string) => (await db().connection.findUniqueOrThrow({ where: { id } })).endReason;
