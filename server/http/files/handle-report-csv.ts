import type { IncomingMessage, ServerResponse } from 'node:http';
import { csvHead, csvRow } from '#server/http/files/csv-row.ts';
import { countDownload } from '#server/http/files/send-attachment.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { getComparison, getReport } from '#server/screens/reports/get-report.ts';
import { comparisonQuery } from '#server/screens/reports/report-query.ts';
import type { Figures } from '#server/screens/reports/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Path of a report as CSV, with the query parameters of its page. With `by` the comparison, else the chart. */
export const REPORT_CSV_PATH = '/reports.csv';

const COLUMNS = {
  new_conversations: (row) => row.created,
  first_responses: (row) => row.replied,
  median_first_response_seconds: (row) => row.replySeconds,
  resolved: (row) => row.resolved,
  median_resolution_seconds: (row) => row.resolveSeconds,
  sla_met: (row) => row.slaMet,
  sla_missed: (row) => row.slaMissed,
  ratings: (row) => row.rated,
  satisfied_ratings: (row) => row.satisfied,
} satisfies Record<string, (row: Figures) => number | null>;

/** Sends the chart or the comparison of a report of the open workspace as CSV, to owners and admins. */
export async function handleReportCsv(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn?.workspace || !isAdmin(signedIn.workspace.role)) {
    return sendJson(res, 403, { message: 'Only owners and admins can download reports.' });
  }
  if (!(await countDownload(res, signedIn.user.id))) return;
  const query = comparisonQuery.safeParse(Object.fromEntries(queryOf(req)));
  if (!query.success) return sendJson(res, 422, { message: 'A filter is too long.' });
  const asked = { workspaceId: signedIn.workspace.id, query: query.data, now: new Date() };
  const { by } = query.data;
  const lines = by
    ? (await getComparison(asked)).rows.map((row) => lineOf(row.name, row))
    : (await getReport(asked)).points.map((point) => lineOf(point.day, point));
  res.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="report${by ? `-by-${by}` : ''}.csv"`,
    'Cache-Control': 'private, no-store',
  });
  res.end([csvHead([by ?? 'day', ...Object.keys(COLUMNS)]), ...lines].join(''));
}

function lineOf(name: string, figures: Figures): string {
  return csvRow([name, ...Object.values(COLUMNS).map((of) => String(of(figures) ?? ''))]);
}
