import { describe, expect } from 'vitest';
import { redeliver } from '#server/automation/deliveries/redeliver.ts';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { type Connection, makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/hook-test.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';

describe('a finished delivery is sent again', () => {
  test.for([
    ['dropped', ['rejected']],
    ['exhausted', ['failed', 'failed', 'failed', 'failed', 'failed']],
    ['delivered', ['delivered']],
  ] as const)(
    'when it was %s: it is due immediately, and its attempt numbers continue',
    async ([outcome, attempts], { connection, hook }) => {
      const { id, eventId } = await logDelivery(hook, { outcome, attempts: [...attempts] });
      await db().delivery.update({ where: { id }, data: { hadErrorStatus: true } });
      await sendAgain(connection, id);
      const made = attempts.length;
      expect(await read(id)).toMatchObject({
        eventId,
        outcome: null,
        endedAt: null,
        attempts: made,
        earlierAttempts: made,
        hadErrorStatus: false,
        nextAttemptAt: expect.any(Date),
      });
      expect(await db().queuedHook.count({ where: { hookId: hook.id } })).toBe(1);
      expect(await db().attempt.count({ where: { deliveryId: id } })).toBe(made);
    },
  );

  test('and the audit log names the teammate', async ({ connection, hook }) => {
    const { id } = await logDelivery(hook, { outcome: 'dropped', attempts: ['rejected'] });
    await sendAgain(connection, id);
    expect(
      await db().auditEntry.findMany({ where: { workspaceId: hook.workspaceId, kind: 'event_redelivered' } }),
    ).toMatchObject([
      {
        workspaceId: hook.workspaceId,
        userId: connection.teammate.id,
        connectionId: hook.connectionId,
        data: { deliveryId: id, hookId: hook.id },
      },
    ]);
  });

  test('once, despite concurrent clicks', async ({ connection, hook }) => {
    const { id } = await logDelivery(hook, { outcome: 'dropped', attempts: ['rejected'] });
    const clicks = await Promise.allSettled(Array.from({ length: 8 }, () => sendAgain(connection, id)));
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await read(id)).toMatchObject({ outcome: null, earlierAttempts: 1 });
  });
});

describe('redelivery is refused', () => {
  test('while the event is being sent, and nothing changes', async ({ connection, hook }) => {
    const { id } = await logDelivery(hook, { attempts: ['failed'] });
    const before = await read(id);
    await expect(sendAgain(connection, id)).rejects.toMatchObject({
      refusal: 'invalid',
      message: 'This event is already being sent. Its result will be shown here.',
    });
    expect(await read(id)).toEqual(before);
    expect(await db().queuedHook.count({ where: { hookId: hook.id } })).toBe(0);
  });

  test.for([
    ['gone', 'Zippy reported that this workflow is gone (410). Turn the workflow off and on again in Zippy.'],
    ['unsubscribed', 'The workflow was turned off or changed in Zippy. Turn it on in Zippy first.'],
    ['disconnected', 'An owner or admin disconnected its connection here. Connect again in Zippy,'],
  ] as const)(
    'when the workflow was removed (%s), with the reason and the remedy',
    async ([reason, words], { connection, hook }) => {
      const { id } = await logDelivery(hook, { outcome: 'dropped', attempts: ['gone'] });
      await removeHooks(db(), { workspaceId: hook.workspaceId, id: hook.id }, reason);
      await forgetJobs();
      await expect(sendAgain(connection, id)).rejects.toMatchObject({
        refusal: 'invalid',
        message: expect.stringContaining(words),
      });
      expect(await read(id)).toMatchObject({ outcome: 'dropped' });
      expect(await queuedJobs()).toEqual([]);
    },
  );

  test('for an unknown delivery, or one of another workspace', async ({ connection, hook }) => {
    const other = await makeConnection();
    const { id } = await logDelivery(hook, { outcome: 'dropped', attempts: ['rejected'] });
    for (const [which, workspaceId] of [
      [id, other.workspaceId],
      ['01890000-0000-7000-8000-000000000000', hook.workspaceId],
      ['no id', hook.workspaceId],
    ] as const) {
      await expect(sendAgain(connection, which, workspaceId)).rejects.toMatchObject({ refusal: 'not_found' });
    }
    expect(await read(id)).toMatchObject({ outcome: 'dropped' });
  });

  test('or done, but never both, when the workflow is removed concurrently', async ({ connection, hook }) => {
    const { id } = await logDelivery(hook, { outcome: 'dropped', attempts: ['rejected'] });
    const [again] = await Promise.allSettled([
      sendAgain(connection, id),
      removeHooks(db(), { workspaceId: hook.workspaceId, id: hook.id }, 'unsubscribed'),
    ]);
    expect((await read(id)).outcome).toBe(again.status === 'fulfilled' ? null : 'dropped');
  });
});

const sendAgain = (connection: Connection, id: string, workspaceId = connection.workspaceId) =>
  inTransaction((tx) => redeliver(tx, { workspaceId, id, by: connection.teammate, platformName: 'Zippy' }));
const read = (id: string) => db().delivery.findUniqueOrThrow({ where: { id } });
