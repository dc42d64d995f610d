import { beforeEach, describe, expect, test } from 'vitest';
import { batchReads } from '#server/core/database/batch-reads.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { screensRouter } from '#server/screens/router.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let hook: Hook;
let id: string;

beforeEach(async () => {
  connection = await makeConnection();
  hook = await makeHook(connection);
  id = (await logDelivery(hook, { outcome: 'dropped', attempts: ['rejected'] })).id;
});

/** Returns the procedures as called by a teammate with this role. */
function screensAs(role: Role, workspaceId = connection.workspaceId) {
  const workspace = { id: workspaceId, name: 'Acme', plan: 'growth' as const, role };
  const session = { sessionId: '', user: connection.teammate, afterSolving: 'next' as const };
  const signedIn = { ...session, workspace, workspaces: [workspace] };
  return screensRouter.createCaller({ headers: new Headers(), signedIn, reads: batchReads() });
}

type Screens = ReturnType<typeof screensAs>;
const CALLS: [string, (screens: Screens) => Promise<unknown>][] = [
  ['the log', (screens) => screens.deliveries.list({})],
  ['a delivery', (screens) => screens.deliveries.get({ id })],
  ['the count of failed deliveries', (screens) => screens.deliveries.countFailed({})],
  ['redelivery', (screens) => screens.deliveries.redeliver({ id })],
  ['redelivery of failed deliveries', (screens) => screens.deliveries.redeliverFailed({})],
  ['the workflows', (screens) => screens.hooks.list()],
];

describe.each(CALLS)('%s', (_what, call) => {
  test.each(['owner', 'admin'] as const)('is available to an %s', async (role) => {
    await expect(call(screensAs(role))).resolves.not.toBeNull();
  });

  test.each(['agent', 'viewer'] as const)(
    'is refused to an attacker who is %s, and without a session',
    async (role) => {
      const refusal = { cause: { refusal: 'forbidden' } };
      const before = (await queuedJobs()).length;
      await expect(call(screensAs(role))).rejects.toMatchObject(refusal);
      const nobody = screensRouter.createCaller({
        headers: new Headers(),
        signedIn: null,
        reads: batchReads(),
      });
      await expect(call(nobody)).rejects.toMatchObject(refusal);
      expect(await queuedJobs()).toHaveLength(before);
    },
  );
});

test('an attacker who owns another workspace reaches nothing of this one', async () => {
  const strangers = screensAs('owner', (await makeConnection()).workspaceId);
  expect(await strangers.deliveries.list({})).toEqual({ rows: [], older: null });
  expect(await strangers.deliveries.list({ hookId: hook.id })).toEqual({ rows: [], older: null });
  expect(await strangers.deliveries.get({ id })).toBeNull();
  expect(await strangers.deliveries.countFailed({ hookId: hook.id })).toBe(0);
  await expect(strangers.deliveries.redeliver({ id })).rejects.toMatchObject({
    cause: { refusal: 'not_found' },
  });
  await expect(strangers.deliveries.redeliverFailed({ hookId: hook.id })).rejects.toMatchObject({
    cause: { refusal: 'invalid' },
  });
});
