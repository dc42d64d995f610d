import { expect } from 'vitest';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import { db } from '#server/core/database/prisma.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { test } from '#test/fixtures/service-test.ts';

test('a call sends no more statements with 500 listening hooks than with none, and the worker fans out in one statement', async ({
  api,
  connection,
}) => {
  const { workspaceId } = connection;
  const create = (name: string) => statementsOf(() => api('POST', '/contacts', { name }));
  await create('Ada');
  const without = await create('Bob');
  for (let n = 0; n < 500; n += 1) await makeHook(connection, { event: 'contact.created' });
  const withHooks = await create('Cleo');
  expect(withHooks.length).toBeLessThanOrEqual(without.length);

  const { id } = await db().event.findFirstOrThrow({ where: { workspaceId }, orderBy: { id: 'desc' } });
  let fannedOut: Awaited<ReturnType<typeof fanOut>> | undefined;
  const statements = await statementsOf(async () => {
    fannedOut = await fanOut({ leaseId: 'nobody', hooks: 0 });
  });
  expect(statements.length).toBeLessThanOrEqual(1);
  expect(fannedOut).toMatchObject({ made: 500, events: [{ workspaceId }] });
  expect(await db().delivery.count({ where: { eventId: id } })).toBe(500);
  expect(await db().queuedHook.count({ where: { hook: { workspaceId } } })).toBe(500);
});
