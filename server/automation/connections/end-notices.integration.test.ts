import { describe, expect } from 'vitest';
import { endUnexchangedConnections } from '#server/automation/connections/end-all-connections.ts';
import { disconnect, endConnection } from '#server/automation/connections/end-connection.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { ConnectionEnd, Role } from '#server/generated/prisma/enums.ts';
import { screensFor } from '#server/screens/router.ts';
import { NOTIFIED_ENDS, notificationContent } from '#server/teammates/notification-content.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeConnection, makeUser, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

describe('owners are notified of a new connection', () => {
  test('only owners, after the code exchange; a mail is queued too', async ({ platform }) => {
    const { workspaceId, teammate: admin, code, id } = await makeWaitingConnection();
    await db().member.updateMany({ where: { workspaceId }, data: { role: 'admin' } });
    const owners = [await join(workspaceId, 'owner'), await join(workspaceId, 'owner')];
    await join(workspaceId, 'admin');
    await join(workspaceId, 'agent');
    expect(await ownersNotified(workspaceId)).toEqual([]);

    expect((await platform.exchange(code)).status).toBe(200);
    const rows = await ownersNotified(workspaceId);
    expect(rows.map(({ userId }) => userId).sort()).toEqual(owners.map(({ id: owner }) => owner).sort());
    for (const row of rows) {
      expect(row).toMatchObject({
        kind: 'connection_started',
        data: { connectionId: id, teammateName: admin.name },
      });
    }
    expect(await queuedJobs()).toMatchObject([
      { task: 'mail-notifications', payload: { notificationIds: [expect.any(String), expect.any(String)] } },
    ]);
  });

  test('but not the owner who connected, and not of a refresh', async ({ platform }) => {
    const { workspaceId, refreshToken } = await makeConnection();
    await platform.refresh(refreshToken);
    expect(await ownersNotified(workspaceId)).toEqual([]);
  });

  test('and not of a refused exchange', async ({ platform }) => {
    const { workspaceId, code } = await makeWaitingConnection();
    await join(workspaceId, 'owner');
    await platform.exchange(code, { code_verifier: 'x'.repeat(43) });
    await platform.exchange(code, { client_secret: 'guessed' });
    expect(await ownersNotified(workspaceId)).toEqual([]);
    await platform.exchange(code);
    expect(await ownersNotified(workspaceId)).toHaveLength(1);
  });

  test('in their notifications, with a link to the integrations', async ({ service }) => {
    const { workspaceId } = await makeConnection();
    const owner = await join(workspaceId, 'owner');
    await makeConnection({ workspaceId, teammate: await join(workspaceId, 'admin') });
    const cookie = await signInAs(service.url, owner);
    const { newest } = await (await screensFor(new Headers({ cookie }))).notifications.list();
    expect(newest).toMatchObject([
      {
        sentence: 'Mx admin connected Workflow Platform to this workspace.',
        href: '/settings/integrations',
        isRead: false,
      },
    ]);
  });
});

describe('owners are notified that a connection ended automatically', () => {
  test.each(NOTIFIED_ENDS)('%s: once, with the reason and the teammate’s name', async (reason) => {
    const { id, workspaceId, owner, admin } = await connectedByAdmin();
    await end(id, reason);
    await end(id, reason);
    expect(await ownersNotified(workspaceId)).toEqual([
      {
        userId: owner.id,
        kind: 'connection_ended',
        data: { connectionId: id, teammateName: admin.name, reason },
      },
    ]);
    expect((await queuedJobs()).map(({ task }) => task)).toEqual(['mail-notifications']);
  });

  test('including the owner of the connection, unless they leave', async () => {
    for (const reason of NOTIFIED_ENDS) {
      const { id, workspaceId, teammate } = await makeConnection();
      await end(id, reason);
      const goes = reason === 'teammate_left' || reason === 'teammate_deleted';
      expect((await ownersNotified(workspaceId)).map(({ userId }) => userId)).toEqual(
        goes ? [] : [teammate.id],
      );
    }
  });

  test('but not the owner who caused it', async () => {
    const { id, workspaceId, owner } = await connectedByAdmin();
    const second = await join(workspaceId, 'owner');
    await end(id, 'teammate_left', owner);
    expect((await ownersNotified(workspaceId)).map(({ userId }) => userId)).toEqual([second.id]);
  });

  test('and not of a disconnection by an owner or admin, nor of a deleted workspace', async () => {
    const { id, workspaceId, others } = await connectedByAdmin();
    await disconnect({ workspaceId, connectionId: id, by: others.admin });
    const deleted = await connectedByAdmin();
    await end(deleted.id, 'workspace_deleted');
    expect(await ownersNotified(workspaceId)).toEqual([]);
    expect(await ownersNotified(deleted.workspaceId)).toEqual([]);
  });

  test('and not of a connection whose code was never exchanged', async ({ platform }) => {
    const { id, workspaceId } = await makeWaitingConnection();
    await join(workspaceId, 'owner');
    await db().$executeRaw`
      update authorization_codes set expires_at = now() where connection_id = ${id}::uuid`;
    expect(await endUnexchangedConnections()).toBe(1);
    expect(await ownersNotified(workspaceId)).toEqual([]);

    const demoted = await makeWaitingConnection();
    await join(demoted.workspaceId, 'owner');
    await db().member.updateMany({ where: { userId: demoted.teammate.id }, data: { role: 'agent' } });
    await platform.exchange(demoted.code);
    expect(await ownersNotified(demoted.workspaceId)).toEqual([]);
  });

  test('in their notifications, with the reason', async ({ service }) => {
    const { id, owner, admin } = await connectedByAdmin();
    await end(id, 'code_reused');
    const cookie = await signInAs(service.url, owner);
    const { newest } = await (await screensFor(new Headers({ cookie }))).notifications.list();
    expect(newest).toMatchObject([
      {
        sentence: expect.stringContaining(
          `${admin.name}’s connection to Workflow Platform ended. Workflow Platform presented its authorization code a second time.`,
        ),
        href: '/settings/integrations',
      },
    ]);
  });

  test('not when the transaction rolls back', async () => {
    const { id, workspaceId } = await connectedByAdmin();
    const undone = inTransaction(async (tx) => {
      await endConnection(tx, { id, reason: 'not_allowed' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await ownersNotified(workspaceId)).toEqual([]);
    expect(await queuedJobs()).toEqual([]);
  });
});

async function join(workspaceId: string, role: Role): Promise<Teammate> {
  const teammate = await makeUser(`Mx ${role}`);
  await addMember(workspaceId, teammate.id, role);
  return teammate;
}

/**
 * Creates an admin's connection in a workspace with an owner, another admin and an agent, and deletes all
 * notifications.
 */
async function connectedByAdmin() {
  const { workspaceId, teammate: owner } = await makeConnection();
  const admin = await join(workspaceId, 'admin');
  const others = { admin: await join(workspaceId, 'admin'), agent: await join(workspaceId, 'agent') };
  const connection = await makeConnection({ workspaceId, teammate: admin });
  await db().notification.deleteMany({ where: { workspaceId } });
  await forgetJobs();
  return { ...connection, owner, admin, others };
}

const ownersNotified = async (workspaceId: string) =>
  (await db().notification.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } })).map(
    ({ userId, ...row }) => ({ userId, ...notificationContent.parse(row) }),
  );
const end = (id: string, reason: ConnectionEnd, by?: Teammate) =>
  inTransaction((tx) => endConnection(tx, { id, reason, by }));
