import { describe, expect } from 'vitest';
import { batchReads } from '#server/core/database/batch-reads.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { screensRouter } from '#server/screens/router.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { memberWorkspace } from '#test/fixtures/member-workspace.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest
  .extend('hook', ({ connection }) => makeHook(connection))
  .extend('delivery', async ({ hook }) => {
    const { id } = await logDelivery(hook, { outcome: 'dropped', attempts: ['rejected'] });
    return id;
  });

describe.each(calls())('%s', (_what, call) => {
  test.for(['owner', 'admin'] as const)('is available to an %s', async (role, { connection, delivery }) => {
    await expect(call(screensAs(connection, role), delivery)).resolves.not.toBeNull();
  });

  test.for(['agent', 'viewer'] as const)(
    'is refused to an attacker who is %s, and without a session',
    async (role, { connection, delivery }) => {
      const refusal = { cause: { refusal: 'forbidden' } };
      const before = (await queuedJobs()).length;
      await expect(call(screensAs(connection, role), delivery)).rejects.toMatchObject(refusal);
      const nobody = screensRouter.createCaller({
        headers: new Headers(),
        signedIn: null,
        reads: batchReads(),
      });
      await expect(call(nobody, delivery)).rejects.toMatchObject(refusal);
      expect(await queuedJobs()).toHaveLength(before);
    },
  );
});

test('an attacker who owns another workspace reaches nothing of this one', async ({
  connection,
  hook,
  delivery,
}) => {
  const strangers = screensAs(connection, 'owner', (await makeConnection()).workspaceId);
  expect(await strangers.deliveries.list({})).toEqual({ rows: [], older: null });
  expect(await strangers.deliveries.list({ hookId: hook.id })).toEqual({ rows: [], older: null });
  expect(await strangers.deliveries.get({ id: delivery })).toBeNull();
  expect(await strangers.deliveries.countFailed({ hookId: hook.id })).toBe(0);
  await expect(strangers.deliveries.redeliver({ id: delivery })).rejects.toMatchObject({
    cause: { refusal: 'not_found' },
  });
  await expect(strangers.deliveries.redeliverFailed({ hookId: hook.id })).rejects.toMatchObject({
    cause: { refusal: 'invalid' },
  });
});

/** Returns the procedures as called by a teammate with this role. */
function screensAs({ teammate, ...of }: Connection, role: Role, workspaceId = of.workspaceId) {
  const workspace = memberWorkspace(workspaceId, role);
  const signedIn = {
    sessionId: '',
    afterSolving: 'next' as const,
    hasSecondFactor: false,
    closedWorkspaces: [],
    lockedWorkspaces: [],
    isSingleSignOn: false,
    user: teammate,
    workspace,
    workspaces: [workspace],
  };
  return screensRouter.createCaller({ headers: new Headers(), signedIn, reads: batchReads() });
}

type Connection = Awaited<ReturnType<typeof makeConnection>>;
type Screens = ReturnType<typeof screensAs>;

function calls(): [string, (screens: Screens, id: string) => Promise<unknown>][] {
  return [
    ['the log', (screens) => screens.deliveries.list({})],
    ['a delivery', (screens, id) => screens.deliveries.get({ id })],
    ['the count of failed deliveries', (screens) => screens.deliveries.countFailed({})],
    ['redelivery', (screens, id) => screens.deliveries.redeliver({ id })],
    ['redelivery of failed deliveries', (screens) => screens.deliveries.redeliverFailed({})],
    ['the workflows', (screens) => screens.hooks.list()],
  ];
}
