import { describe, expect } from 'vitest';
import { applyRetention } from '#server/administration/retention/apply-retention.ts';
import {
  getRetention,
  type Retention,
  setRetention,
} from '#server/administration/retention/retention-rule.ts';
import { db } from '#server/core/database/prisma.ts';
import { makeOld, NOTHING, test } from '#test/fixtures/retention-test.ts';

describe('setting a rule', () => {
  test('deletes nothing for 24 hours, and again when it becomes stricter', async ({
    teammates: { workspaceId, owner },
    conversationId,
    workspaceName,
    rule,
  }) => {
    await makeOld(workspaceId, 400);
    const set = (retention: Partial<Retention>) =>
      setRetention({ workspaceId, retention: { ...NOTHING, ...retention }, typed: workspaceName, by: owner });
    await set({ conversationDays: 30 });
    expect(await applyRetention()).toBe(0);
    await rule({ conversationDays: 3_650 });
    const { startsAt } = await getRetention(db(), workspaceId);
    await set({ conversationDays: 3_650 });
    expect((await getRetention(db(), workspaceId)).startsAt).toEqual(startsAt);
    for (const stricter of [{ conversationDays: 365 }, { conversationDays: 365, anonymizes: true }]) {
      await set(stricter);
      expect((await getRetention(db(), workspaceId)).startsAt?.getTime()).toBeGreaterThan(
        Date.now() + 23 * 3_600_000,
      );
      expect(await applyRetention()).toBe(0);
      await db().retentionRule.update({ where: { workspaceId }, data: { startsAt: new Date() } });
    }
    await set({});
    expect(await applyRetention()).toBe(0);
    expect(await db().conversation.findUniqueOrThrow({ where: { id: conversationId } })).toMatchObject({
      removal: null,
      anonymizedAt: null,
    });
  });

  test('is refused to an admin, for a mistyped name and for days out of their bounds', async ({
    teammates: { workspaceId, owner, admin },
    workspaceName,
  }) => {
    const retention = { ...NOTHING, conversationDays: 30 };
    const change = { workspaceId, retention, typed: workspaceName, by: owner };
    await expect(setRetention({ ...change, by: admin })).rejects.toThrow('Only an owner');
    await expect(setRetention({ ...change, typed: 'Other' })).rejects.toThrow(workspaceName);
    for (const days of [29, 3_651, 30.5, Number.NaN])
      await expect(
        setRetention({ ...change, retention: { ...retention, conversationDays: days } }),
      ).rejects.toThrow('whole number');
    expect(await db().retentionRule.count({ where: { workspaceId } })).toBe(0);
  });
});
