import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';

test.for([
  { what: 'the job queue', table: 'job_outbox' },
  { what: 'recording the event', table: 'events' },
  { what: 'notifying the new assignee', table: 'notifications' },
  { what: 'stopping the SLA clocks', table: 'sla_clocks' },
])(
  'when $what fails, the call returns 500 without details and changes nothing',
  async ({ table }, { api, connection, ben, conversation: id }) => {
    const changes = { status: 'solved', priority: 'high', assignee_id: ben.id, team_id: 'none' };
    const patch = () => api('PATCH', `/conversations/${id}`, changes);
    const [rows, jobs] = [await rowsOfWorkspace(connection.workspaceId), await queuedJobs()];

    await db().$executeRawUnsafe(`alter table ${table} rename to gone`);
    const { status, body } = await patch();
    await db().$executeRawUnsafe(`alter table gone rename to ${table}`);
    expect({ status, body }).toEqual({
      status: 500,
      body: { message: 'Something went wrong on our side. Try again later.' },
    });
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(rows);
    expect(await queuedJobs()).toEqual(jobs);

    expect(await patch()).toMatchObject({ status: 200, body: { status: 'solved', assignee: ben } });
    expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(2);
    // The job that asks the contact for a rating.
    expect(await queuedJobs()).toHaveLength(jobs.length + 1);
  },
);
