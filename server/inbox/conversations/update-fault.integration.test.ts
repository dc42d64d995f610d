import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();

/** SQL that breaks and mends a part of the change. */
const FAULTS = [
  {
    what: 'the job queue',
    break: 'alter table job_outbox rename to job_outbox_gone',
    mend: 'alter table job_outbox_gone rename to job_outbox',
  },
  {
    what: 'recording the event',
    break: 'alter table events rename to events_gone',
    mend: 'alter table events_gone rename to events',
  },
  {
    what: 'notifying the new assignee',
    break: 'alter table notifications rename to notifications_gone',
    mend: 'alter table notifications_gone rename to notifications',
  },
  {
    what: 'stopping the SLA clocks',
    break: 'alter table sla_clocks rename to sla_clocks_gone',
    mend: 'alter table sla_clocks_gone rename to sla_clocks',
  },
];

test.each(FAULTS)(
  'when $what fails, the call returns 500 without details and changes nothing',
  async (fault) => {
    const connection = await makeConnection();
    const ben = await makeUser('Ben');
    await addMember(connection.workspaceId, ben.id, 'agent');
    const id = await makeConversation(connection);
    const changes = { status: 'solved', priority: 'high', assignee_id: ben.id, team_id: 'none' };
    const patch = () =>
      apiClient(service.url, connection.accessToken)('PATCH', `/conversations/${id}`, changes);
    const [rows, jobs] = [await rowsOfWorkspace(connection.workspaceId), await queuedJobs()];

    await db().$executeRawUnsafe(fault.break);
    const { status, body } = await patch();
    await db().$executeRawUnsafe(fault.mend);
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
