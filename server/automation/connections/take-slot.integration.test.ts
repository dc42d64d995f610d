import { describe, expect } from 'vitest';
import { disconnect } from '#server/automation/connections/end-connection.ts';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { formOf } from '#test/clients/consent-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { until } from '#test/fixtures/until.ts';

describe('docs/spec.md §1: one slot per kind of integration, limited by the plan', () => {
  test.each<[Plan, number]>([
    ['starter', 1],
    ['growth', 5],
    ['business', 15],
  ])('%s has %i', async (plan, slots) => {
    expect(await approveFor(await owned(plan, slots))).toBe('no_slot');
    const lastFree = await owned(plan, slots - 1);
    expect(await approveFor(lastFree)).toBe('approved');
    expect(await used(lastFree.workspaceId)).toBe(slots);
  });

  test('scale has no limit', async () => {
    expect(await approveFor(await owned('scale', 40))).toBe('approved');
  });

  test('after a downgrade connections stay, and the platform can still share its slot', async () => {
    const workspace = await owned('growth', 4);
    expect(await approveFor(workspace)).toBe('approved');
    await db().workspace.update({ where: { id: workspace.workspaceId }, data: { plan: 'starter' } });
    expect(await active(workspace.workspaceId)).toHaveLength(1);
    expect(await approveFor(workspace)).toBe('approved');

    const without = await owned('growth', 4);
    await db().workspace.update({ where: { id: without.workspaceId }, data: { plan: 'starter' } });
    expect(await approveFor(without)).toBe('no_slot');
  });
});

describe('concurrent approvals never use more slots than the plan has', () => {
  test('fifty approvals of five teammates over HTTP share Starter’s only slot', async ({ browserOf }) => {
    const workspace = await makeWorkspace({ plan: 'starter' });
    const browsers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const teammate = await makeUser();
        await addMember(workspace.id, teammate.id, 'admin');
        return browserOf(teammate);
      }),
    );
    const pages = browsers.flatMap((browser) => Array.from({ length: 10 }, () => browser));
    const forms = await Promise.all(pages.map(async (browser) => formOf(await browser.open())));
    const responses = await Promise.all(pages.map((browser, i) => browser.post(forms[i] ?? {})));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(303));
    expect(new Set(responses.map(({ location }) => location?.searchParams.get('code'))).size).toBe(50);
    expect(await active(workspace.id)).toHaveLength(50);
    expect(await used(workspace.id)).toBe(1);
  });

  test('fifty approvals wait while the last slot is taken, and then all find no slot', async () => {
    const workspace = await owned('growth', 4);
    const { workspaceId } = workspace;
    const approvals = await inTransaction(async (tx) => {
      await tx.$executeRaw`select from workspaces where id = ${workspaceId}::uuid for no key update`;
      const waiting = Array.from({ length: 50 }, () => approveFor(workspace));
      await until('approvals wait for the workspace', async () => (await countLockWaiters()) > 1);
      await tx.integration.create({ data: { workspaceId, kind: 'shop', name: 'Shop' } });
      return { waiting };
    });
    expect(await Promise.all(approvals.waiting)).toEqual(Array(50).fill('no_slot'));
    expect(await used(workspaceId)).toBe(5);
    expect(await active(workspaceId)).toEqual([]);
  });

  test('after concurrent approvals and disconnections a slot is used exactly when a connection is active', async () => {
    const workspace = await owned('starter');
    const { workspaceId, teammate } = workspace;
    for (let round = 0; round < 10; round += 1) {
      const before = await active(workspaceId);
      const ends = before.map(({ id }) => disconnect({ workspaceId, connectionId: id, by: teammate }));
      const approvals = round % 2 === 0 ? [approveFor(workspace), approveFor(workspace)] : [];
      await Promise.all([...ends, ...approvals]);
      const left = (await active(workspaceId)).length;
      expect(left).toBe(approvals.length);
      expect(await used(workspaceId)).toBe(left > 0 ? 1 : 0);
    }
  });
});

const NOTHING_ASKED = { state: undefined, challenge: undefined };

async function owned(plan: Plan, otherIntegrations = 0) {
  const workspace = await makeWorkspace({ plan });
  const teammate = await makeUser();
  await addMember(workspace.id, teammate.id, 'owner');
  const data = Array.from({ length: otherIntegrations }, (_, i) => ({
    workspaceId: workspace.id,
    kind: `kind-${i}`,
    name: `Other ${i}`,
  }));
  await db().integration.createMany({ data });
  return { workspaceId: workspace.id, teammate };
}

const used = (workspaceId: string) => db().integration.count({ where: { workspaceId } });
const active = (workspaceId: string) =>
  db().connection.findMany({ where: { workspaceId, endedAt: null }, select: { id: true } });
const approveFor = ({ workspaceId, teammate }: Awaited<ReturnType<typeof owned>>) =>
  approve({ workspaceId, teammate, request: NOTHING_ASKED }).then(({ kind }) => kind);
