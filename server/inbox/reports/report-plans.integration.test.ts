import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { readComparison, readReport } from '#server/inbox/reports/read-report.ts';
import { listCounted } from '#server/screens/reports/list-counted.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

// A report reads the rows of its days, or of its months, whatever else the workspace has.

const YEAR = { from: '2025-06-15', to: '2026-06-14' };
const WEEK = { from: '2026-06-08', to: '2026-06-14' };

const test = serviceTest.extend('counted', async ({ teammates: { workspaceId, agent } }) => {
  // Two years of all conversations and ten teammates, each with four rows a day.
  await pool().query(
    `insert into report_counts (workspace_id, dimension, is_month, day, key, measure, bucket, count)
     select $1, d, m, day, case when n = 0 and d = 1 then $2 when d = 1 then 'teammate ' || n else '' end, b % 2, b, 1
     from (values (false, interval '1 day'), (true, interval '1 month')) as grain (m, step)
     cross join lateral generate_series(timestamp '2024-07-01', timestamp '2026-06-30', step) as day
     cross join (select 0 as d, 0 as n union all select 1, n from generate_series(0, 9) n) as keys
     cross join generate_series(1, 4) b`,
    [workspaceId, agent.id],
  );
  await pool().query('analyze report_counts');
  return { workspaceId, agent };
});

describe('reading', () => {
  test.for([
    // Days at both ends and eleven months, for the year and the one before.
    ['a year of everyone', YEAR, 'all', 2 * (31 + 11) * 4],
    ['a week of everyone', WEEK, 'all', 2 * 7 * 4],
    ['a week of a teammate', WEEK, 'teammate', 2 * 7 * 4],
  ] as const)('%s', async ([, period, dimension, most], { counted: { workspaceId, agent } }) => {
    const filter = { dimension, key: dimension === 'all' ? '' : agent.id };
    const { rows, scanned, statements } = await readingOf(() => readReport({ workspaceId, period, filter }));
    expect(scanned).toEqual([]);
    expect(rows).toBeLessThanOrEqual(most);
    expect(statements).toBe(2);
  });

  test('a comparison of a year', async ({ counted: { workspaceId } }) => {
    const { rows, scanned, statements } = await readingOf(() =>
      readComparison({ workspaceId, period: YEAR, by: 'teammate' }),
    );
    expect(scanned).toEqual([]);
    // The rows, then their sums twice.
    expect(rows).toBeLessThanOrEqual((31 + 11) * 10 * 4 + 200);
    expect(statements).toBe(1);
  });
});

test('a list looks through at most 10,000 conversations, and continues after them', async ({
  teammates: { workspaceId },
}) => {
  await pool().query(
    `with made as (
       insert into conversations (id, workspace_id, channel, created_at)
       select gen_random_uuid(), $1, 'email', timestamp '2026-06-10' from generate_series(1, 10020) returning id
     )
     insert into conversation_facts (conversation_id, workspace_id, channel, created_day, created_hour, tags)
     select id, $1, 'email', '2026-06-10', 0, case when row_number() over (order by id) <= 5 then array['rare'] else '{}' end from made`,
    [workspaceId],
  );
  const asked = {
    workspaceId,
    period: WEEK,
    filter: { dimension: 'tag', key: 'rare' },
    measure: 'created',
  } as const;
  const first = await listCounted(asked);
  // The oldest ids come last.
  expect(first.items).toEqual([]);
  const second = await listCounted({ ...asked, cursor: first.next ?? '' });
  expect(second.items).toHaveLength(5);
  expect(second.next).toBeNull();
});
