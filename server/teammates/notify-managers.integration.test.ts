import { Client } from 'pg';
import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { LIVE_CHANNEL } from '#server/core/live/publish.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';
import { notificationContent } from '#server/teammates/notification-content.ts';
import { failingHook, makeManagerNotifications, makeTeam } from '#test/fixtures/hook-notifications.ts';
import { allMoved, forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

describe('owners and admins are notified about a hook', () => {
  test('once each; agents, viewers and other workspaces are not', async () => {
    const { workspaceId } = await makeTeam(['owner', 'admin', 'admin', 'owner', 'agent', 'viewer']);
    const { workspaceId: other } = await makeTeam(['owner']);
    const rows = await makeManagerNotifications(workspaceId, failingHook(), NOW);
    expect(rows.map(({ email }) => email.split('.')[1])).toEqual(['admin', 'admin', 'owner', 'owner']);
    for (const row of rows) {
      expect(row).toMatchObject({ conversationId: null, readAt: null, emailedAt: null, createdAt: NOW });
      expect(notificationContent.parse(row)).toMatchObject({ kind: 'hook_failing', data: { count: 25 } });
    }
    expect(await db().notification.count({ where: { workspaceId: other } })).toBe(0);
  });

  test('by email from one job that is queued in the same transaction', async () => {
    const { workspaceId } = await makeTeam(['owner', 'admin', 'agent']);
    const rows = await makeManagerNotifications(workspaceId);
    expect(await queuedJobs()).toEqual([
      {
        task: 'mail-notifications',
        payload: { notificationIds: expect.arrayContaining(rows.map(({ id }) => id)) },
      },
    ]);
  });

  test('not when the transaction is rolled back', async () => {
    const { workspaceId } = await makeTeam(['owner']);
    const undone = inTransaction(async (tx) => {
      await notifyManagers(tx, { workspaceId, content: failingHook(), now: NOW });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await db().notification.count({ where: { workspaceId } })).toBe(0);
    expect(await queuedJobs()).toEqual([]);
  });

  test('without an error when the workspace has none', async () => {
    const { workspaceId } = await makeTeam(['agent']);
    expect(await makeManagerNotifications(workspaceId)).toEqual([]);
    expect(await queuedJobs()).toEqual([]);
  });
});

test('emails are sent serially, however many workers there are', async () => {
  for (let i = 0; i < 2; i += 1) await makeManagerNotifications((await makeTeam(['owner'])).workspaceId);
  await allMoved();
  const queues = await db().$queryRaw`
    select q.queue_name from graphile_worker._private_jobs j
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id`;
  expect(queues).toEqual([{ queue_name: 'mail-notifications' }, { queue_name: 'mail-notifications' }]);
});

test('open pages are notified after the commit', async () => {
  const { workspaceId } = await makeTeam(['owner']);
  const page = new Client({ connectionString: settings().DATABASE_URL });
  await page.connect();
  try {
    const heard: (string | undefined)[] = [];
    page.on('notification', ({ payload }) => heard.push(payload));
    await page.query(`listen ${LIVE_CHANNEL}`);
    await makeManagerNotifications(workspaceId);
    const message = JSON.stringify({ workspaceId, topic: 'notifications' });
    await until('the page is notified', () => heard.includes(message));
  } finally {
    await page.end();
  }
});

const NOW = new Date('2026-11-21T15:00:00.123Z');
