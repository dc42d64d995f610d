import { expect } from 'vitest';
import { batchReads } from '#server/core/database/batch-reads.ts';
import { screensRouter } from '#server/screens/router.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { memberWorkspace } from '#test/fixtures/member-workspace.ts';
import { test as baseTest } from '#test/fixtures/service-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ FILES_QUOTA_MB: '7' }));

test.each(['owner', 'admin'] as const)(
  'an %s sees how much storage the files of the workspace use',
  async (role) => {
    const { workspaceId, teammate } = await makeConnection();
    await storeBytes(workspaceId, { content: Buffer.alloc(1_500_000) });
    const workspace = memberWorkspace(workspaceId, role);
    const session = {
      sessionId: 'session',
      user: teammate,
      afterSolving: 'next' as const,
      hasSecondFactor: false,
      closedWorkspaces: [],
      lockedWorkspaces: [],
      isSingleSignOn: false,
    };
    const signedIn = { ...session, workspace, workspaces: [workspace] };
    const caller = screensRouter.createCaller({ headers: new Headers(), signedIn, reads: batchReads() });
    const view = await caller.webchat.settings();
    expect(view).toMatchObject({ kind: 'shown', files: { usedBytes: 1_500_000, quotaBytes: 7_000_000 } });
  },
);
