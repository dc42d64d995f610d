import { describe, expect, onTestFinished } from 'vitest';
import { withSession } from '#scripts/backup/database-session.ts';
import { dropHeld, holdWork, listHeld, listItems, releaseHeld } from '#scripts/backup/held-work.ts';
import { db } from '#server/core/database/prisma.ts';
import { HELD_TASKS } from '#server/core/jobs/jobs.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { makeConversation, makeQueuedReply } from '#test/fixtures/conversations.ts';
import { makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { deliverySettings } from '#test/fixtures/delivery-test.ts';
import type { Connection } from '#test/fixtures/factories.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { storedMessage } from '#test/fixtures/stored-rows.ts';
import { until } from '#test/fixtures/until.ts';
import { startReceiver } from '#test/servers/receiver.ts';
import { PLATFORM } from '#test/servers/settings.ts';
import { startWorker } from '#worker/start-worker.ts';

const test = mailTest
  .extend('receiverServer', { scope: 'file' }, async ({ mailServer: _ }, { onCleanup }) => {
    const server = await startReceiver(PLATFORM.hooksHost);
    onCleanup(() => server.stop());
    return server;
  })
  .extend('settings', { scope: 'file' }, ({ receiverServer }) => deliverySettings(receiverServer))
  .extend('receiver', ({ receiverServer }) => {
    receiverServer.received.length = 0;
    return receiverServer;
  });

test.beforeEach(async ({ service: _ }) => {
  await forgetJobs();
  await db().heldWork.deleteMany();
});

const hold = () => db().$executeRaw`select hold_restored_work()`;
const release = (...which: string[]) => withSession((client) => releaseHeld(client, which));
const heldCounts = async () =>
  Object.fromEntries((await withSession(listHeld)).map(({ task, count }) => [task, count]));

describe('after a restore', () => {
  test('events, deliveries and messages from before it wait, and later ones are sent', async ({
    receiver,
    mail,
    connection,
  }) => {
    const hook = await makeHook(connection);
    await leaveDelivery(connection, hook.id);
    const [fannedOut] = await makeDeliveries(hook, 1);
    const messageId = await queueEmail(connection);
    await hold();
    expect(await heldCounts()).toMatchObject({ deliver: 1, 'fan-out': 1, 'send-message': 1 });
    expect(await storedMessage(messageId)).toMatchObject({
      sendStatus: 'failed',
      deliveryError: 'It is not known if this was sent: the service was restored from a backup.',
    });

    await runWorker();
    const [later] = await makeDeliveries(hook, 1);
    const laterMessage = await queueEmail(connection);
    await until('the later event arrives', () => receiver.received.length > 0);
    await until('the later message arrives', () => mail.received.length > 0);
    await until(
      'its outcome is recorded',
      async () => (await storedMessage(laterMessage)).sendStatus === 'sent',
    );
    expect(receiver.received.map(({ body }) => JSON.parse(body).id)).toEqual([later]);
    expect(mail.received).toHaveLength(1);
    expect(await storedMessage(messageId)).toMatchObject({ sendStatus: 'failed' });
    expect(await db().event.count({ where: { id: fannedOut ?? '' } })).toBe(1);
  });

  test('released work is done once, although two operators release it', async ({
    receiver,
    mail,
    connection,
  }) => {
    const hook = await makeHook(connection);
    const deliveries = [await leaveDelivery(connection, hook.id), await leaveDelivery(connection, hook.id)];
    const [fannedOut] = await makeDeliveries(hook, 1);
    const messageId = await queueEmail(connection);
    await hold();
    await runWorker();
    const counts = await Promise.all([release(), release(), release()]);
    expect(counts.toSorted((a, b) => b - a)).toEqual([4 + HELD_TASKS.length, 0, 0]);
    await until('all events arrive', () => receiver.received.length === 3);
    await until('the message is sent', async () => (await storedMessage(messageId)).sendStatus === 'sent');
    await until('all is recorded', async () => {
      const open = await db().delivery.count({ where: { endedAt: null } });
      return open === 0 && (await queuedJobs()).every(({ task }) => !/^(send|mail)-message/.test(task));
    });
    const ids = receiver.received.map(({ body }) => JSON.parse(body).id);
    expect(ids.toSorted()).toEqual([...deliveries, fannedOut].toSorted());
    expect(mail.received).toHaveLength(1);
    expect(await release()).toBe(0);
  });

  test('a release sends no events of conversations that were removed in the meantime, or merged into such', async ({
    receiver,
    connection,
  }) => {
    const { workspaceId, teammate } = connection;
    const hook = await makeHook(connection);
    const [spam, purged, merged, target, other] = [
      await makeConversation(connection),
      await makeConversation(connection),
      await makeConversation(connection),
      await makeConversation(connection),
      await makeConversation(connection),
    ];
    const expected: string[] = [];
    for (const conversationId of [spam, purged, merged, target, other]) {
      const delivered = await leaveDelivery(connection, hook.id, conversationId);
      const fannedOut = await makeDeliveries(hook, 1);
      await db().event.updateMany({ where: { id: { in: fannedOut } }, data: { conversationId } });
      if (conversationId === other) expected.push(delivered, ...fannedOut);
    }
    await hold();
    await mergeAs(connection, merged, target);
    const actor = { kind: 'teammate', teammate } as const;
    await removeConversation({ workspaceId, id: spam, to: 'spam', actor });
    await removeConversation({ workspaceId, id: target, to: 'deleted', actor });
    await db().conversation.delete({ where: { id: purged } });
    await release();
    await runWorker();
    await until('the events arrive', () => receiver.received.length >= expected.length);
    const [last] = await makeDeliveries(hook, 1);
    await until('a later event arrives', () => idsIn(receiver).includes(last ?? ''));
    expect(idsIn(receiver).toSorted()).toEqual([...expected, last].toSorted());
    expect(await db().delivery.count({ where: { hookId: hook.id, outcome: 'cancelled' } })).toBe(4);
  });

  test('an operator lists, releases and drops single pieces and tasks', async ({ connection }) => {
    const first = await queueEmail(connection);
    const second = await queueEmail(connection);
    await hold();
    const items = await withSession((client) => listItems(client, 'send-message', 10));
    expect(items.map(({ payload }) => payload)).toEqual([{ messageId: first }, { messageId: second }]);
    expect(items[0]?.about).toEqual(expect.any(String));
    expect(await withSession((client) => dropHeld(client, [items[0]?.id ?? '']))).toBe(1);
    await expect(release('send-message', 'send-mesage', '0')).rejects.toThrow(
      /^Nothing is held of send-mesage, 0, so nothing was changed\./,
    );
    // Nothing of the other task is held.
    expect(await release('send-message', 'receive-mail')).toBe(1);
    expect(await queuedJobs()).toMatchObject([{ task: 'send-message', payload: { messageId: second } }]);
    expect(await storedMessage(first)).toMatchObject({ sendStatus: 'failed' });
    expect(await storedMessage(second)).toMatchObject({ sendStatus: 'queued', deliveryError: null });
    expect(Object.keys(await heldCounts())).toEqual([...HELD_TASKS].toSorted());
  });

  test('a release does not repeat what a teammate has sent again or dismissed', async ({
    mail,
    connection,
  }) => {
    const sentAgain = await queueEmail(connection);
    const dismissed = await queueEmail(connection);
    await hold();
    await db().message.update({
      where: { id: sentAgain },
      data: { sendStatus: 'sent', deliveryError: null },
    });
    await db().message.update({ where: { id: dismissed }, data: { failureDismissedAt: new Date() } });
    await runWorker();
    await release();
    await until('the jobs have run', async () =>
      (await queuedJobs()).every(({ task }) => (task as string) !== 'send-message'),
    );
    expect(mail.received).toEqual([]);
    expect(await storedMessage(dismissed)).toMatchObject({ sendStatus: 'failed' });
  });

  test('a reply that could still be undone stays with its author until it is released', async ({
    connection,
  }) => {
    const { workspaceId, teammate } = connection;
    const conversationId = await makeConversation(connection);
    const { id } = await db().pendingReply.create({
      data: { workspaceId, conversationId, authorId: teammate.id, content: 'Hello', sendAt: new Date() },
    });
    await db().outboxJob.create({ data: { task: 'send-pending-reply', payload: { pendingReplyId: id } } });
    await hold();
    expect((await db().pendingReply.findUniqueOrThrow({ where: { id } })).problem).toMatch(/restored/);
    expect(await heldCounts()).toMatchObject({ 'send-pending-reply': 1 });
    await release('send-pending-reply');
    expect((await db().pendingReply.findUniqueOrThrow({ where: { id } })).problem).toBeNull();
    expect(await queuedJobs()).toMatchObject([
      { task: 'send-pending-reply', payload: { pendingReplyId: id } },
    ]);
  });

  test('snoozes do not end until the schedule is released', async ({ connection }) => {
    const id = await makeConversation(connection, { status: 'open' });
    await db().conversation.update({
      where: { id },
      data: { status: 'pending', snoozedUntil: new Date(Date.now() - 60_000) },
    });
    await hold();
    await runWorker();
    const endSnoozes = () =>
      db().$executeRaw`select graphile_worker.add_job('end-snoozes', job_key := 'now')`;
    await endSnoozes();
    await until('the task has run', async () => (await queuedJobs()).length === 0);
    expect((await db().conversation.findUniqueOrThrow({ where: { id } })).snoozedUntil).not.toBeNull();
    await release('end-snoozes');
    await endSnoozes();
    await until('the snooze ends', async () => {
      const { snoozedUntil } = await db().conversation.findUniqueOrThrow({ where: { id } });
      return snoozedUntil === null;
    });
  });
});

test('work is not held while a process uses the database, which could have started it', async ({
  connection,
}) => {
  await queueEmail(connection);
  await expect(withSession(holdWork)).rejects.toThrow(
    /^Other sessions use the database .*: stop all servers/,
  );
  await runWorker();
  await expect(hold()).rejects.toThrow('A worker runs on this database.');
});

const idsIn = ({ received }: { received: { body: string }[] }): string[] =>
  received.map(({ body }) => JSON.parse(body).id);

async function runWorker(): Promise<void> {
  const worker = await startWorker();
  onTestFinished(() => worker.stop());
}

/** Inserts a delivery that waits for its next attempt. Returns the id of its event. */
async function leaveDelivery(
  { workspaceId }: Connection,
  hookId: string,
  conversationId: string | null = null,
): Promise<string> {
  const { id } = await db().event.create({
    data: { workspaceId, key: 'conversation.created', body: '{}', conversationId },
  });
  await db().event.updateMany({ where: { id }, data: { body: JSON.stringify({ id }) } });
  await db().delivery.create({ data: { workspaceId, eventId: id, hookId, nextAttemptAt: new Date() } });
  await db().queuedHook.upsert({ where: { hookId }, create: { hookId, dueAt: new Date() }, update: {} });
  return id;
}

/** Inserts a reply by email with its job. */
async function queueEmail(connection: Connection): Promise<string> {
  const id = await makeQueuedReply(connection);
  await db().outboxJob.create({ data: { task: 'send-message', payload: { messageId: id } } });
  return id;
}
