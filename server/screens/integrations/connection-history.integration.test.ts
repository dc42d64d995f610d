import { describe, expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { ConnectionEnd, Role } from '#server/generated/prisma/enums.ts';
import { listAuditEntries } from '#server/screens/audit/list-audit-entries.ts';
import { listConnections } from '#server/screens/integrations/list-connections.ts';
import { listEndedConnections } from '#server/screens/integrations/list-ended-connections.ts';
import type { HistoryPage } from '#server/screens/integrations/views.ts';
import { screensFor } from '#server/screens/router.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

const OF_CONNECTIONS = { topics: ['connections' as const, 'developers' as const] };

describe('a connection whose teammate was demoted', () => {
  test('is shown as inactive to other owners and to its teammate until the teammate is promoted again', async () => {
    const { workspaceId, teammate } = await makeConnection();
    const owner = await join(workspaceId, 'owner');
    const seenBy = async (who: Teammate) => (await screensOf(who)).overview();
    const setRole = (role: Role) =>
      db().member.update({
        where: { workspaceId_userId: { workspaceId, userId: teammate.id } },
        data: { role },
      });

    await setRole('agent');
    expect(await seenBy(owner)).toMatchObject({ connections: [{ demotedTo: 'agent' }] });
    expect(await seenBy(teammate)).toMatchObject({ kind: 'not_allowed', ownConnections: 1 });
    expect(await seenBy(await join(workspaceId, 'viewer'))).toMatchObject({ ownConnections: 0 });

    await setRole('admin');
    expect(await seenBy(owner)).toMatchObject({ connections: [{ demotedTo: null }] });
  });
});

describe('the list of past connections', () => {
  test('shows the teammate, the period, the last use, the reason and what to do, newest first', async () => {
    const first = await makeConnection();
    const { workspaceId, teammate } = first;
    const second = await makeConnection({ workspaceId, teammate });
    const owner = await join(workspaceId, 'owner', 'Bea Boss');
    await db().$executeRaw`update connections set last_used_at = now() where id = ${first.id}::uuid`;
    await end(first.id, 'disconnected', owner);
    await end(second.id, 'revoked_by_platform');

    const connections = await screensOf(owner);
    const { items, older } = await connections.listEnded({});
    expect(older).toBeNull();
    expect(items).toEqual([
      {
        id: second.id,
        teammate: { name: teammate.name, email: teammate.email },
        connectedAt: expect.any(Date),
        lastUsedAt: null,
        endedAt: expect.any(Date),
        why: 'It was disconnected in Workflow Platform.',
        whatToDo: 'If you still need it, connect again in Workflow Platform.',
      },
      expect.objectContaining({
        id: first.id,
        lastUsedAt: expect.any(Date),
        why: 'Bea Boss disconnected it here.',
        whatToDo: 'To restore it, connect again in Workflow Platform.',
      }),
    ]);
  });

  test('excludes active connections', async () => {
    const { id, workspaceId } = await makeConnection();
    expect((await listEndedConnections(db(), { workspaceId })).items).toEqual([]);
    await end(id, 'not_allowed');
    expect((await listEndedConnections(db(), { workspaceId })).items).toHaveLength(1);
  });

  test('shows the teammate’s name at that time after their account was deleted', async () => {
    const { id, workspaceId, teammate } = await makeConnection();
    await end(id, 'teammate_deleted');
    await db().user.delete({ where: { id: teammate.id } });
    const { items } = await listEndedConnections(db(), { workspaceId });
    expect(items).toMatchObject([
      {
        teammate: { name: teammate.name, email: teammate.email },
        why: `The account of ${teammate.name} was deleted.`,
      },
    ]);
  });

  test.each<[ConnectionEnd, string]>([
    ['disconnected', 'An owner or admin disconnected it here.'],
    ['teammate_left', 'Olivia Owen is no longer in this workspace.'],
    ['not_allowed', 'Olivia Owen is no longer an owner or admin.'],
    ['code_reused', 'Someone else may have seen that code'],
  ])('explains the reason: %s', async (reason, why) => {
    const { id, workspaceId } = await makeConnection();
    await end(id, reason);
    const [item] = (await listEndedConnections(db(), { workspaceId })).items;
    expect(item?.why).toContain(why);
    expect(item?.whatToDo).toMatch(/Workflow Platform/);
  });

  test('has pages without gaps or repetitions, even if many connections ended simultaneously', async ({
    connection,
  }) => {
    const { workspaceId } = connection;
    await db().connection.updateMany({
      where: { workspaceId },
      data: { endedAt: new Date(), endReason: 'disconnected' },
    });
    await addConnections(connection, {
      endedAt: new Date('2026-11-21T10:00:00.000Z'),
      endReason: 'disconnected',
    });
    await expectPages((cursor) => listEndedConnections(db(), { workspaceId, cursor }));
  });
});

test('active connections have pages without gaps or repetitions, each with its hooks', async ({
  connection,
}) => {
  const { workspaceId } = connection;
  const hook = await makeHook(connection);
  const { integrationId } = await db().connection.findFirstOrThrow({ where: { workspaceId } });
  await addConnections(connection, { integrationId, createdAt: new Date('2026-11-21T10:00:00.000Z') });
  const items = await expectPages((cursor) => listConnections(db(), { workspaceId, cursor }));
  expect(items.filter(({ hooks }) => hooks.length > 0)).toMatchObject([
    { id: connection.id, hooks: [{ id: hook.id }], health: { kind: 'quiet' } },
  ]);
});

/** Creates 44 connections of one teammate. */
async function addConnections(
  { workspaceId, teammate }: { workspaceId: string; teammate: Teammate },
  data: Pick<Prisma.ConnectionCreateManyInput, 'createdAt' | 'endedAt' | 'endReason' | 'integrationId'>,
): Promise<void> {
  const { id: userId, name: teammateName, email: teammateEmail } = teammate;
  const row = { workspaceId, userId, teammateName, teammateEmail, ...data };
  await db().connection.createMany({ data: Array.from({ length: 44 }, () => row) });
}

/** Reads three pages and expects each of 45 connections exactly once. */
async function expectPages<Item extends { id: string }>(
  read: (cursor: string | undefined) => Promise<HistoryPage<Item>>,
): Promise<Item[]> {
  const seen: Item[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 3; pages += 1) {
    const page = await read(cursor);
    seen.push(...page.items);
    cursor = page.older ?? undefined;
  }
  expect(cursor).toBeUndefined();
  expect(seen).toHaveLength(45);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(45);
  return seen;
}

describe('the audit log', () => {
  test('shows approvals, refusals with their reason, disconnections and automatic ends', async () => {
    const { id, workspaceId, teammate } = await makeConnection({ plan: 'starter' });
    const agent = await join(workspaceId, 'agent', 'Adam Agent');
    const boss = await join(workspaceId, 'owner', 'Bea Boss');
    expect((await connect(workspaceId, agent)).kind).toBe('not_allowed');
    await end(id, 'disconnected', boss);
    await db().integration.create({ data: { workspaceId, kind: 'shop', name: 'Shop' } });
    expect((await connect(workspaceId, boss)).kind).toBe('no_slot');
    await db().integration.deleteMany({ where: { workspaceId } });
    const again = await makeConnection({ workspaceId, teammate });
    await end(again.id, 'not_allowed');
    expect(await sentencesOf(workspaceId)).toEqual([
      'Olivia Owen’s connection ended. Olivia Owen is no longer an owner or admin.',
      'Olivia Owen approved a connection to Workflow Platform.',
      'Bea Boss tried to connect Workflow Platform and was refused: no integration slot was free.',
      'Bea Boss disconnected Olivia Owen’s connection.',
      'Adam Agent tried to connect Workflow Platform and was refused: only owners and admins can connect.',
      'Olivia Owen approved a connection to Workflow Platform.',
    ]);
  });

  test('shows redelivered events, and excludes entries that are not about connections', async () => {
    const { id: workspaceId } = await makeWorkspace();
    await addEntries(workspaceId, [
      { kind: 'event_redelivered', userName: 'Bea Boss' },
      { kind: 'failed_events_redelivered', userName: 'Bea Boss', data: { events: '1' } },
      { kind: 'failed_events_redelivered', userName: 'Bea Boss', data: { events: '12' } },
      { kind: 'plan_changed', userName: 'Bea Boss', data: { from: 'starter', to: 'growth' } },
      { kind: 'from_the_future' },
    ]);
    expect(await sentencesOf(workspaceId)).toEqual([
      'Bea Boss redelivered 12 failed events.',
      'Bea Boss redelivered one failed event.',
      'Bea Boss redelivered an event.',
    ]);
  });

  test('describes entries with unknown details in general terms', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const kinds = ['connection_refused', 'connection_ended', 'failed_events_redelivered'];
    await addEntries(
      workspaceId,
      kinds.map((kind) => ({ kind, data: { reason: 'unheard of' } })),
    );
    expect(await sentencesOf(workspaceId)).toEqual([
      'Someone redelivered the failed events.',
      'A teammate’s connection ended.',
      'Someone tried to connect Workflow Platform and was refused.',
    ]);
  });

  test('has pages without gaps or repetitions', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const createdAt = new Date('2026-11-21T10:00:00.000Z');
    const row = { workspaceId, kind: 'connection_refused', createdAt };
    await db().auditEntry.createMany({ data: Array.from({ length: 65 }, () => row) });
    await db().$executeRaw`
      update audit_entries set created_at = created_at + interval '7 microseconds'
      where workspace_id = ${workspaceId}::uuid`;
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await listAuditEntries(db(), { workspaceId, cursor, filter: OF_CONNECTIONS });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.older ?? undefined;
    }
    expect(cursor).toBeUndefined();
    expect(new Set(seen).size).toBe(65);
  });
});

describe('an attacker cannot read the history of others', () => {
  test.each(['agent', 'viewer'] as const)('as an %s of the workspace', async (role) => {
    const { id, workspaceId } = await makeConnection();
    await end(id, 'disconnected');
    const connections = await screensOf(await join(workspaceId, role));
    const forbidden = { cause: { refusal: 'forbidden' } };
    await expect(connections.listEnded({})).rejects.toMatchObject(forbidden);
    await expect(connections.listAudit({})).rejects.toMatchObject(forbidden);
  });

  test('as an owner of another workspace, even with ids of its entries', async () => {
    const theirs = await makeConnection();
    await end(theirs.id, 'disconnected');
    const [entry] = (
      await listAuditEntries(db(), { workspaceId: theirs.workspaceId, filter: OF_CONNECTIONS })
    ).items;
    const mallory = await makeConnection();
    await end(mallory.id, 'disconnected');
    const connections = await screensOf(mallory.teammate);
    for (const cursor of [undefined, theirs.id, entry?.id, 'no-uuid', '']) {
      const input = cursor === undefined ? {} : { cursor };
      expect((await connections.listEnded(input)).items.map(({ id }) => id)).toEqual([mallory.id]);
      expect((await connections.listAudit(input)).items).toHaveLength(2);
    }
  });

  test('without a session', async () => {
    const { connections } = await screensFor(new Headers());
    const forbidden = { cause: { refusal: 'forbidden' } };
    await expect(connections.listEnded({})).rejects.toMatchObject(forbidden);
    await expect(connections.listAudit({})).rejects.toMatchObject(forbidden);
  });
});

async function join(workspaceId: string, role: Role, name = `Mx ${role}`): Promise<Teammate> {
  const teammate = await makeUser(name);
  await addMember(workspaceId, teammate.id, role);
  return teammate;
}

const screensOf = async (teammate: Teammate) => (await (await signInTeammate(teammate))()).connections;

const end = (id: string, reason: ConnectionEnd, by?: Teammate) =>
  inTransaction((tx) => endConnection(tx, { id, reason, by }));

const connect = (workspaceId: string, teammate: Teammate) =>
  approve({ workspaceId, teammate, request: { state: undefined, challenge: undefined } });

/** Creates audit entries one second apart. */
const addEntries = (
  workspaceId: string,
  entries: { kind: string; userName?: string; data?: Record<string, string> }[],
) =>
  db().auditEntry.createMany({
    data: entries.map((entry, i) => ({
      workspaceId,
      createdAt: new Date(1_795_000_000_000 + i * 1000),
      ...entry,
    })),
  });

const sentencesOf = async (workspaceId: string) =>
  (await listAuditEntries(db(), { workspaceId, filter: OF_CONNECTIONS })).items.map(
    ({ sentence }) => sentence,
  );
