import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;

const create = () =>
  apiClient(service.url, connection.accessToken)('POST', '/conversations', {
    to_email: 'ada@example.com',
    to_name: 'Ada',
    subject: 'Order',
    content: 'Hello',
  });
const rows = () =>
  Promise.all([
    db().contact.count(),
    db().conversation.count(),
    db().message.count(),
    db().timelineEntry.count(),
    db().event.count(),
  ]);

test('when the job queue fails, the call returns 500 and stores nothing', async () => {
  connection = await makeConnection();
  await db().$executeRaw`alter table job_outbox rename to job_outbox_gone`;
  const { status, body } = await create();
  expect({ status, body }).toEqual({
    status: 500,
    body: { message: 'Something went wrong on our side. Try again later.' },
  });
  expect(await rows()).toEqual([0, 0, 0, 0, 0]);
  await db().$executeRaw`alter table job_outbox_gone rename to job_outbox`;
  expect((await create()).status).toBe(201);
  expect(await rows()).toEqual([1, 1, 1, 2, 3]);
});

test('when events cannot be recorded, neither a row nor a job is stored', async () => {
  const before = await rows();
  const jobs = await queuedJobs();
  await db().$executeRaw`alter table events rename to events_gone`;
  const { status } = await create();
  await db().$executeRaw`alter table events_gone rename to events`;
  expect(status).toBe(500);
  expect(await rows()).toEqual(before);
  expect(await queuedJobs()).toEqual(jobs);
});
