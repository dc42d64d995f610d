import type { z } from 'zod';
import { readFromReplica } from '#server/core/database/replica.ts';
import { sql } from '#server/core/database/sql.ts';
import { countBatch } from '#server/inbox/reports/count-conversations.ts';
import { previousOf, todayIn } from '#server/inbox/reports/period.ts';
import { readComparison, readReport } from '#server/inbox/reports/read-report.ts';
import { listCounted } from '#server/screens/reports/list-counted.ts';
import { listOptions, nameKeys } from '#server/screens/reports/report-names.ts';
import {
  type comparisonQuery,
  type listQuery,
  periodOf,
  type reportQuery,
} from '#server/screens/reports/report-query.ts';
import type {
  ComparisonView,
  CountedPage,
  ListedMeasure,
  ReportScope,
  ReportView,
} from '#server/screens/reports/views.ts';

// The figures are read from a replica, if there is one, and may be a second old.

/** Changes that opening the page counts, so that it shows what just happened. The job counts the rest within a minute. */
const COUNTED_FIRST = 100;

type Of<Query> = { workspaceId: string; query: Query; now: Date };

/** Returns the report of a period. */
export async function getReport({
  workspaceId,
  query,
  now,
}: Of<z.output<typeof reportQuery>>): Promise<ReportView> {
  await countBatch(workspaceId, COUNTED_FIRST);
  const { isCounting, ...scope } = await scopeOf({ workspaceId, query, now });
  const [report, options] = await readFromReplica(() =>
    Promise.all([readReport({ workspaceId, period: scope.period, filter: scope }), listOptions(workspaceId)]),
  );
  return { ...scope, ...report, isCounting, options };
}

/** Returns the figures of each teammate, team, channel or tag. */
export async function getComparison({
  workspaceId,
  query,
  now,
}: Of<z.output<typeof comparisonQuery>>): Promise<ComparisonView> {
  const { period } = await scopeOf({ workspaceId, query, now });
  const by = query.by ?? 'teammate';
  return readFromReplica(async () => {
    const { rows, isCut } = await readComparison({ workspaceId, period, by });
    const names = await nameKeys(workspaceId, { by, keys: rows.map(({ key }) => key) });
    return { rows: rows.map((row) => ({ ...row, name: names.get(row.key) ?? '' })), isCut };
  });
}

/** Returns the conversations behind a number of the report. */
export async function getCounted({
  workspaceId,
  query,
  now,
}: Of<z.output<typeof listQuery>>): Promise<
  ReportScope & CountedPage & { measure: ListedMeasure; hour: number | null }
> {
  const { isCounting: _, ...scope } = await scopeOf({ workspaceId, query, now });
  const measure = query.measure ?? 'created';
  const hour = measure === 'created' ? query.hour : undefined;
  const { period } = scope;
  const page = await readFromReplica(() =>
    listCounted({ workspaceId, period, filter: scope, measure, hour, cursor: query.cursor }),
  );
  return { ...scope, ...page, measure, hour: hour ?? null };
}

async function scopeOf({
  workspaceId,
  query,
  now,
}: Of<z.output<typeof reportQuery>>): Promise<ReportScope & { isCounting: boolean }> {
  const { dimension, key } = query.of ?? { dimension: 'all' as const, key: '' };
  const [[state], names] = await Promise.all([
    sql().$queryRaw<{ timeZone: string; isCounting: boolean }[]>`
      select time_zone as "timeZone", filled_at is null as "isCounting" from report_states where workspace_id = ${workspaceId}::uuid`,
    dimension === 'all' ? null : nameKeys(workspaceId, { by: dimension, keys: [key] }),
  ]);
  const timeZone = state?.timeZone ?? 'UTC';
  const chosen = periodOf(query, todayIn(timeZone, now));
  return {
    ...chosen,
    previousPeriod: previousOf(chosen.period),
    dimension,
    key,
    name: names?.get(key) ?? null,
    timeZone,
    isCounting: state?.isCounting ?? true,
  };
}
