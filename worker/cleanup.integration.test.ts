import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { closeSolved } from '#server/inbox/conversations/close-solved.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorker } from '#worker/start-worker.ts';

test('conversations that cannot be closed do not block others, and close once they can', async ({
  connection,
}) => {
  await db().workspace.update({ where: { id: connection.workspaceId }, data: { closeSolvedAfterDays: 1 } });
  const solved = (days: number) =>
    makeConversation(connection, { status: 'solved', statusChangedAt: new Date(Date.now() - days * DAY_MS) });
  const broken = [await solved(30), await solved(29), await solved(28)];
  const well = [await solved(3), await solved(2)];
  const restore = await failUpdates('conversations', broken);
  expect(await closeSolved({ batch: 2 })).toBe(2);
  await restore();
  expect(await closeSolved({ batch: 2 })).toBe(3);
  expect(
    await db().conversation.count({ where: { id: { in: [...broken, ...well] }, status: 'closed' } }),
  ).toBe(5);
});

test('SLA clocks that cannot be breached do not block others', async ({ connection }) => {
  const clock = async (minutes: number) => {
    const conversationId = await makeConversation(connection);
    const dueAt = new Date(Date.now() - minutes * 60_000);
    const data = { workspaceId: connection.workspaceId, conversationId, kind: 'resolution', dueAt } as const;
    return (await db().slaClock.create({ data })).id;
  };
  const broken = [await clock(30), await clock(29), await clock(28)];
  await clock(2);
  const restore = await failUpdates('sla_clocks', broken);
  expect(await breachClocks({ batch: 2 })).toBe(1);
  await restore();
  expect(await breachClocks({ batch: 2 })).toBe(3);
});

test('a failed step of the cleanup does not block later steps, and fails the job', async ({ connection }) => {
  await db().$executeRaw`alter table consent_forms rename to consent_forms_gone`;
  await db().$executeRaw`
    insert into graphile_worker._private_tasks (identifier) values ('clean-up') on conflict do nothing`;
  const id = await makeConversation(connection);
  const message = await db().message.create({
    data: {
      workspaceId: connection.workspaceId,
      conversationId: id,
      direction: 'outbound',
      authorKind: 'teammate',
      authorId: connection.teammate.id,
      content: 'Hello',
      sendStatus: 'sending',
      sendStartedAt: new Date(Date.now() - DAY_MS),
    },
  });
  await db().$executeRaw`select (graphile_worker.add_job('clean-up')).id`;
  const worker = await startWorker();
  try {
    await until('the later step has run', async () => {
      const { sendStatus } = await db().message.findUniqueOrThrow({ where: { id: message.id } });
      return sendStatus === 'failed';
    });
    const lastError = async () => {
      const [job] = await db().$queryRaw<{ error: string | null }[]>`
        select last_error as error from graphile_worker.jobs where task_identifier = 'clean-up'`;
      return job?.error;
    };
    const error = await until('the job counts as failed', lastError);
    expect(error).toBe('These steps failed: deleteOldConsentForms.');
  } finally {
    await worker.stop();
    await db().$executeRaw`alter table consent_forms_gone rename to consent_forms`;
  }
});

const DAY_MS = 86_400_000;

/** Makes every update of these rows fail, as if they were damaged. */
function failUpdates(table: string, ids: string[]): Promise<() => Promise<void>> {
  const listed = ids.map((id) => `'${id}'`).join(', ');
  return failWrites([table], { on: 'update', message: 'This row is broken.', when: `old.id in (${listed})` });
}
