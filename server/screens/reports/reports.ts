import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';
import { getComparison, getCounted, getReport } from '#server/screens/reports/get-report.ts';
import { comparisonQuery, listQuery, reportQuery } from '#server/screens/reports/report-query.ts';

/** Reports, for owners and admins: they see every conversation (docs/decisions/0039). */
export const reportsScreens = screenRouter({
  get: adminProcedure
    .input(reportQuery)
    .query(({ ctx: { workspace }, input }) =>
      getReport({ workspaceId: workspace.id, query: input, now: new Date() }),
    ),
  compare: adminProcedure
    .input(comparisonQuery)
    .query(({ ctx: { workspace }, input }) =>
      getComparison({ workspaceId: workspace.id, query: input, now: new Date() }),
    ),
  conversations: adminProcedure
    .input(listQuery)
    .query(({ ctx: { workspace }, input }) =>
      getCounted({ workspaceId: workspace.id, query: input, now: new Date() }),
    ),
});
