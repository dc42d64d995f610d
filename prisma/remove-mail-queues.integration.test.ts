import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { projectPath } from '#server/core/project.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';

const MIGRATION = projectPath('prisma', 'migrations', '20261126224300_remove_mail_queues', 'migration.sql');

test('the migration removes the queues of senders, except those with a mail, and no other queue', async ({
  service: _,
}) => {
  await forgetJobs();
  for (const queue of ['receive-mail:idle:0', 'receive-mail:used:1', 'updates:idle']) {
    await pool().query(`select (graphile_worker.add_job('receive-mail', queue_name := $1)).id`, [queue]);
  }
  await pool().query(`
    delete from graphile_worker._private_jobs j using graphile_worker._private_job_queues q
    where q.id = j.job_queue_id and q.queue_name like '%idle%'`);
  await pool().query(await readFile(MIGRATION, 'utf8'));
  const { rows } = await pool().query<{ name: string }>(`
    select queue_name as name from graphile_worker._private_job_queues
    where queue_name like 'receive-mail:%' or queue_name = 'updates:idle' order by queue_name`);
  expect(rows.map(({ name }) => name)).toEqual(['receive-mail:used:1', 'updates:idle']);
});
