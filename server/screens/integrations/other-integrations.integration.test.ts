import { describe, expect } from 'vitest';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { listAuditEntries } from '#server/screens/audit/list-audit-entries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as baseTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

const OF_CONNECTIONS = { topics: ['connections' as const, 'developers' as const] };

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ DEMO: '1' }));

describe('removing an integration of another kind', () => {
  test('frees its slot for the platform, and writes an audit entry', async () => {
    const { teammates, integrationId } = await makeFull();
    expect(await connects(teammates)).toBe('no_slot');
    await (await connectionsOf(teammates, 'admin')).removeIntegration({ integrationId });
    expect(await integrationsOf(teammates)).toEqual([]);
    expect(await auditSentences(teammates)).toContain('Adam Admin removed the integration Booking calendar.');
    expect(await connects(teammates)).toBe('approved');
  });

  test('is only for owners and admins of the workspace', async () => {
    const [{ teammates, integrationId }, other] = [await makeFull(), await makeTeammates()];
    for (const role of ['agent', 'viewer'] as const) {
      const connections = await connectionsOf(teammates, role);
      await expect(connections.removeIntegration({ integrationId })).rejects.toMatchObject(FORBIDDEN);
    }
    const strangers = await connectionsOf(other, 'owner');
    for (const id of [integrationId, 'x', '\0']) {
      await expect(strangers.removeIntegration({ integrationId: id })).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await integrationsOf(teammates)).toHaveLength(1);
  });

  test('does not remove the platform’s integration: its connections are disconnected separately', async ({
    teammates,
  }) => {
    const connection = await makeConnection({
      workspaceId: teammates.workspaceId,
      teammate: teammates.owner,
    });
    const [platform] = await integrationsOf(teammates);
    const connections = await connectionsOf(teammates, 'owner');
    await expect(connections.removeIntegration({ integrationId: platform?.id ?? '' })).rejects.toMatchObject({
      cause: {
        message:
          'Disconnect the connections of Workflow Platform instead. Disconnecting the last one frees the slot.',
      },
    });
    expect(await db().connection.findUniqueOrThrow({ where: { id: connection.id } })).toMatchObject({
      endedAt: null,
    });
  });

  test('happens once in simultaneous requests, with one audit entry', async () => {
    const { teammates, integrationId } = await makeFull();
    const connections = await connectionsOf(teammates, 'owner');
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => connections.removeIntegration({ integrationId })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(
      (await auditSentences(teammates)).filter((sentence) => sentence.includes('removed the integration')),
    ).toHaveLength(1);
  });
});

describe('adding a sample integration in the demo', () => {
  test('uses one slot each until none is free, and writes an audit entry', async () => {
    const teammates = await makeTeammates({ plan: 'growth' });
    const connections = await connectionsOf(teammates, 'admin');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 7 }, () => connections.addSampleIntegration()),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({
          cause: {
            message:
              'All 5 integration slots of the Growth plan are in use. Remove an integration or upgrade first.',
          },
        });
      }
    }
    const names = (await integrationsOf(teammates)).map(({ name }) => name);
    expect(new Set(names).size).toBe(5);
    expect(await auditSentences(teammates)).toContain(`Adam Admin added the integration ${names[0]}.`);
  });

  test('is possible for every sample once when slots are unlimited', async () => {
    const teammates = await makeTeammates({ plan: 'scale' });
    const connections = await connectionsOf(teammates, 'owner');
    expect(await connections.overview()).toMatchObject({ slots: { mayAddSample: true } });
    await Promise.allSettled(Array.from({ length: 30 }, () => connections.addSampleIntegration()));
    await expect(connections.addSampleIntegration()).rejects.toMatchObject({
      cause: { refusal: 'forbidden' },
    });
    expect(await connections.overview()).toMatchObject({ slots: { mayAddSample: false } });
  });

  test('is only for owners and admins, and only in the demo', async ({ teammates }) => {
    await expect((await connectionsOf(teammates, 'agent')).addSampleIntegration()).rejects.toMatchObject(
      FORBIDDEN,
    );
    const owner = await connectionsOf(teammates, 'owner');
    const demo = settings();
    demo.DEMO = false;
    try {
      expect(await owner.overview()).toMatchObject({ slots: { mayAddSample: false } });
      await expect(owner.addSampleIntegration()).rejects.toMatchObject(NOT_FOUND);
    } finally {
      demo.DEMO = true;
    }
    expect(await integrationsOf(teammates)).toEqual([]);
  });
});

const FORBIDDEN = { cause: { refusal: 'forbidden' } };
const NOT_FOUND = { cause: { refusal: 'not_found' } };

const connectionsOf = async (teammates: Teammates, role: Role) =>
  (await (await signInTeammate(teammates[role]))()).connections;

const integrationsOf = ({ workspaceId }: Teammates) =>
  db().integration.findMany({ where: { workspaceId }, orderBy: { createdAt: 'asc' } });

const auditSentences = async ({ workspaceId }: Teammates) =>
  (await listAuditEntries(db(), { workspaceId, filter: OF_CONNECTIONS })).items.map(
    ({ sentence }) => sentence,
  );

/** Creates a Starter workspace whose only slot is in use by another integration. */
async function makeFull(): Promise<{ teammates: Teammates; integrationId: string }> {
  const teammates = await makeTeammates({ plan: 'starter' });
  const { workspaceId } = teammates;
  const { id } = await db().integration.create({
    data: { workspaceId, kind: 'calendar', name: 'Booking calendar' },
  });
  return { teammates, integrationId: id };
}

const connects = async ({ workspaceId, owner }: Teammates) =>
  (await approve({ workspaceId, teammate: owner, request: { state: undefined, challenge: undefined } })).kind;
