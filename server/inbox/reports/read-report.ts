import { sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type Cell, type Figures, figuresOf, hoursOf } from '#server/inbox/reports/figures.ts';
import { DIMENSIONS, type Dimension, MEASURES } from '#server/inbox/reports/measures.ts';
import {
  addDays,
  type CountedRange,
  daysOfPoint,
  hasDayPoints,
  type Period,
  pointsOf,
  previousOf,
  rangesOf,
} from '#server/inbox/reports/period.ts';

/** Conversations of a teammate, team, channel or tag; `all` has an empty key. */
export type ReportFilter = { dimension: Dimension; key: string };

type Asked = { workspaceId: string; period: Period };

export type Report = {
  figures: Figures;
  /** Figures of the previous period, which has the same length. */
  previous: Figures;
  /** For each day or, in a long period, month, with its days in the period. */
  points: ({ day: string; days: Period } & Figures)[];
  isByDay: boolean;
  /** New conversations by hour of the week, from Monday 0:00. */
  hours: number[];
};

/** Names of a comparison at most; those with the most new conversations. */
const ROWS_MAX = 100;

/** Returns the figures of a period. Its cost depends on the number of days, not of conversations. */
export async function readReport(asked: Asked & { filter: ReportFilter }): Promise<Report> {
  const { period } = asked;
  const isByDay = hasDayPoints(period);
  const ranges = isByDay ? [daysOf(period)] : rangesOf(period);
  const [cells, before] = await Promise.all([
    readCells(asked, ranges, isByDay ? Prisma.sql`day` : Prisma.sql`date_trunc('month', day)::date`),
    readCells(asked, rangesOf(previousOf(period)), Prisma.sql`null::date`),
  ]);
  const byPoint = Map.groupBy(cells, ({ point }) => point);
  return {
    figures: figuresOf(cells),
    previous: figuresOf(before),
    points: pointsOf(period).map((day) => ({
      day,
      days: daysOfPoint(day, period),
      ...figuresOf(byPoint.get(day) ?? []),
    })),
    isByDay,
    hours: hoursOf(cells),
  };
}

/** Returns the figures of each teammate, team, channel or tag, those with the most new conversations first. */
export async function readComparison({
  workspaceId,
  period,
  by,
}: Asked & { by: Exclude<Dimension, 'all'> }): Promise<{
  rows: ({ key: string } & Figures)[];
  isCut: boolean;
}> {
  // One row a measure: tens of thousands of rows would take longer to receive than to sum. The hours of new conversations are not compared.
  const found = await sql().$queryRaw<
    (Pick<Cell, 'measure'> & { key: string; buckets: number[]; counts: number[] })[]
  >`
    with cells as materialized (
      select key, measure, case when measure = ${MEASURES.created}::int then 0 else bucket end as bucket, sum(count)::int as count
      from (${rowsOf({ workspaceId, dimension: by }, rangesOf(period))}) as rows
      group by 1, 2, 3 having sum(count) <> 0
    ), largest as (
      select key from cells group by key
      order by coalesce(sum(count) filter (where measure = ${MEASURES.created}::int), 0) desc, sum(count) desc, key
      limit ${ROWS_MAX + 1}::int
    )
    select key, measure, array_agg(bucket::int) as buckets, array_agg(count) as counts
    from cells where key in (select key from largest) group by key, measure`;
  const rows = [...Map.groupBy(found, ({ key }) => key)]
    .map(([key, measures]) => ({
      key,
      ...figuresOf(
        measures.flatMap(({ measure, buckets, counts }) =>
          buckets.map((bucket, index) => ({ measure, bucket, count: counts[index] ?? 0 })),
        ),
      ),
    }))
    .toSorted((a, b) => b.created - a.created || b.resolved - a.resolved || a.key.localeCompare(b.key));
  return { rows: rows.slice(0, ROWS_MAX), isCut: rows.length > ROWS_MAX };
}

function readCells(
  { workspaceId, filter }: Asked & { filter: ReportFilter },
  ranges: CountedRange[],
  point: Prisma.Sql,
): Promise<(Cell & { point: string | null })[]> {
  const { dimension, key } = filter;
  return sql().$queryRaw`
    select to_char(${point}, 'YYYY-MM-DD') as point, measure, bucket, sum(count)::int as count
    from (${rowsOf({ workspaceId, dimension, key }, ranges)}) as rows
    group by 1, 2, 3 having sum(count) <> 0`;
}

function rowsOf(
  { workspaceId, dimension, key }: { workspaceId: string; dimension: Dimension; key?: string },
  ranges: CountedRange[],
): Prisma.Sql {
  const ofKey = key === undefined ? Prisma.empty : Prisma.sql`and key = ${key}`;
  const parts = ranges.map(
    ({ isMonth, from, until }) => Prisma.sql`
      select day, key, measure, bucket, count from report_counts
      where workspace_id = ${workspaceId}::uuid and dimension = ${DIMENSIONS[dimension]}::int and is_month = ${isMonth}::boolean
        and day >= ${from}::date and day < ${until}::date ${ofKey}`,
  );
  return Prisma.join(parts, ' union all ');
}

function daysOf({ from, to }: Period): CountedRange {
  return { isMonth: false, from, until: addDays(to, 1) };
}
