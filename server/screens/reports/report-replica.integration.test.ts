import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { getComparison, getCounted, getReport } from '#server/screens/reports/get-report.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { ALL, NOTHING, test } from '#test/fixtures/replica-test.ts';
import { until } from '#test/fixtures/until.ts';

const DAY = '2026-06-10';
const query = { from: DAY, to: DAY };

test('a report, its comparison and its conversations are read from the replica, and from the primary while that lags', async ({
  replica,
  teammates: { workspaceId, agent },
}) => {
  const id = randomUUID();
  // Only the replica has these rows.
  await queryPostgres(
    replica.url,
    `with w as (insert into workspaces (id, name, plan, updated_at) values ('${workspaceId}', 'Acme', 'growth', now())),
     u as (insert into users (id, name, email, updated_at) values ('${agent.id}', 'Ada', 'ada@example.com', now())),
     c as (insert into conversations (id, workspace_id, channel, created_at) values ('${id}', '${workspaceId}', 'email', '${DAY}')),
     f as (insert into conversation_facts (conversation_id, workspace_id, channel, created_day, created_hour, tags)
       values ('${id}', '${workspaceId}', 'email', '${DAY}', 0, '{}'))
     insert into report_counts (workspace_id, dimension, is_month, day, key, measure, bucket, count)
     values ('${workspaceId}', 0, false, '${DAY}', '', 0, 0, 7), ('${workspaceId}', 1, false, '${DAY}', '${agent.id}', 0, 0, 7)`,
  );
  const now = new Date();
  const created = async () => (await getReport({ workspaceId, query, now })).figures.created;
  await replica.replayed(ALL);
  await until('the replica is used', async () => (await created()) === 7);
  const { rows } = await getComparison({ workspaceId, query: { ...query, by: 'teammate' }, now });
  expect(rows).toMatchObject([{ key: agent.id, created: 7 }]);
  const { items } = await getCounted({ workspaceId, query: { ...query, measure: 'created' }, now });
  expect(items.map((item) => item.id)).toEqual([id]);

  await replica.replayed(NOTHING);
  await until('the primary is used', async () => (await created()) === 0);
});
