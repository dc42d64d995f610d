import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { plannedOnce, type SqlDb, sqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

/** One connection with a table in which most values are rare, so that a plan for a known one looks cheaper. */
const test = serviceTest.extend('prepared', async ({ service: _ }, { onCleanup }) => {
  const client = await pool().connect();
  onCleanup(() => client.release(true));
  await client.query(
    `create temporary table numbers as select case when n <= 9000 then 0 else n end as n from generate_series(1, 10000) n`,
  );
  await client.query('analyze numbers');
  const plansOf = async () => {
    const { rows } = await client.query<{ each: number; kept: number }>(`
      select custom_plans::int as each, generic_plans::int as kept from pg_prepared_statements where statement like '%from numbers%'
      order by prepare_time desc limit 1`);
    return rows[0];
  };
  return { db: sqlDb((statement) => client.query(statement)), plansOf };
});

const RARE = 9_500;
const counted = () => Prisma.sql`
  select array_agg(n order by n) as found from numbers where n = ${RARE}::int or n = any (${[RARE + 1]}::int[]) limit ${9}`;

const runOften = async (db: SqlDb, statement: () => Prisma.Sql) => {
  for (let n = 0; n < 9; n += 1)
    expect(await db.$queryRaw(statement())).toEqual([{ found: [RARE, RARE + 1] }]);
};

test('a statement whose values look cheap is planned each time', async ({ prepared: { db, plansOf } }) => {
  await runOften(db, counted);
  expect(await plansOf()).toEqual({ each: 9, kept: 0 });
});

test('a statement that is planned once returns the same, and keeps its plan after five runs', async ({
  prepared: { db, plansOf },
}) => {
  await runOften(db, () => plannedOnce(counted()));
  expect(await plansOf()).toEqual({ each: 5, kept: 4 });
});
