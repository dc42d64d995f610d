import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { findBlocking, refuseBlocked, type SenderKeys } from '#server/inbox/blocked-senders/find-blocking.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { listRefused } from '#test/fixtures/refusals.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

/** `blocked`: a workspace that blocks an address, two domains and a person in a chat. */
const test = serviceTest.extend('blocked', async () => {
  const { id: workspaceId } = await makeWorkspace();
  const data = [
    { kind: 'address' as const, value: 'nora@winter.test' },
    { kind: 'domain' as const, value: 'winter.test' },
    { kind: 'domain' as const, value: 'ads.example.com' },
    { kind: 'chat' as const, value: 'telegram::7' },
  ];
  await db().blockedSender.createMany({
    data: data.map((each) => ({ workspaceId, createdByName: 'Ada', ...each })),
  });
  const refuse = (keys: SenderKeys) => refuseBlocked(db(), [workspaceId], keys);
  return { workspaceId, refuse };
});

describe('a sender is blocked', () => {
  test.for<[string, SenderKeys, boolean]>([
    ['by their address, in any case', { emails: [' Nora@Winter.test '] }, true],
    ['by the domain of their address', { emails: ['bo@winter.test'] }, true],
    ['by a domain above that of their address', { emails: ['bo@mail.eu.ads.example.com'] }, true],
    ['by any of their addresses', { emails: ['bo@relay.test', 'nora@winter.test'] }, true],
    ['by their id on a chat channel', { chats: ['telegram::7'] }, true],
    ['not by a domain below that of their address', { emails: ['bo@example.com'] }, false],
    ['not by a domain that ends alike', { emails: ['bo@midwinter.test'] }, false],
    ['not by another id on the channel', { chats: ['telegram::77'] }, false],
    ['not by a text that is no address', { emails: ['winter.test', ''] }, false],
    ['not by a domain of more labels than a name can have', { emails: [`bo@${'a.'.repeat(5_000)}b`] }, false],
  ])('%s', async ([_name, keys, isBlocked], { blocked: { workspaceId } }) => {
    const found = await findBlocking(db(), [workspaceId, randomUUID()], keys);
    expect([...found]).toEqual(isBlocked ? [workspaceId] : []);
  });
});

describe('a refused message', () => {
  test('is recorded with each entry that blocks its sender, by the time', async ({ blocked }) => {
    const before = Date.now();
    expect((await blocked.refuse({ emails: ['nora@winter.test'] })).size).toBe(1);
    expect(await listRefused(blocked.workspaceId)).toEqual(['nora@winter.test', 'winter.test']);
    const { lastRefusedAt } = await db().blockedSender.findFirstOrThrow({
      where: { workspaceId: blocked.workspaceId, value: 'winter.test' },
    });
    // The clocks of the database and of this process may differ.
    expect(Math.abs((lastRefusedAt?.getTime() ?? 0) - before)).toBeLessThan(30_000);
  });

  test('writes nothing within a minute of the last one', async ({ blocked }) => {
    const { workspaceId } = blocked;
    const keys = { emails: ['bo@winter.test'] };
    expect(await statementsOf(() => blocked.refuse(keys))).toHaveLength(2);
    expect(await statementsOf(() => blocked.refuse(keys))).toHaveLength(1);
    const old = new Date(Date.now() - 61_000);
    await db().blockedSender.updateMany({ where: { workspaceId }, data: { lastRefusedAt: old } });
    expect(await statementsOf(() => blocked.refuse(keys))).toHaveLength(2);
    const { lastRefusedAt } = await db().blockedSender.findFirstOrThrow({
      where: { workspaceId, value: 'winter.test' },
    });
    expect(lastRefusedAt?.getTime()).toBeGreaterThan(old.getTime());
  });

  test('does not wait for another one of its sender', async ({ blocked }) => {
    const { workspaceId } = blocked;
    await inTransaction(async (tx) => {
      await tx.$executeRaw`
        update blocked_senders set last_refused_at = now()
        where workspace_id = ${workspaceId}::uuid and value = 'winter.test'`;
      expect((await blocked.refuse({ emails: ['nora@winter.test'] })).size).toBe(1);
    });
    expect(await listRefused(workspaceId)).toEqual(['nora@winter.test', 'winter.test']);
  });
});

test('a message of a sender who is not blocked costs one statement, and none without keys', async ({
  blocked: { workspaceId, refuse },
}) => {
  const [lookup, ...others] = await statementsOf(() => refuse({ emails: ['bo@relay.test'] }));
  expect(lookup?.text).toMatch(/^\s*select /);
  expect(others).toEqual([]);
  expect(await statementsOf(() => refuse({ emails: [''] }))).toEqual([]);
  expect(await listRefused(workspaceId)).toEqual([]);
});
