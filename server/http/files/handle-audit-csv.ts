import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from '#server/core/database/sql.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { codeOf } from '#server/core/user-error.ts';
import { csvHead, csvRow } from '#server/http/files/csv-row.ts';
import { countDownload } from '#server/http/files/send-attachment.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { auditQuery } from '#server/screens/audit/audit.ts';
import { listAuditEntries } from '#server/screens/audit/list-audit-entries.ts';
import type { AuditEntryView, HistoryPage } from '#server/screens/integrations/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Path of the audit log as CSV, with the query parameters of its page. */
export const AUDIT_CSV_PATH = '/settings/audit-log.csv';

/** Entries that are read at once, and at most sent: the dates of the filter choose others. */
const BATCH = 1_000;
const ENTRIES_MAX = 100_000;

/** Sends the filtered audit log of the open workspace as CSV (RFC 4180), newest first, to owners and admins. */
export async function handleAuditCsv(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn?.workspace || !isAdmin(signedIn.workspace.role)) {
    return sendJson(res, 403, { message: 'Only owners and admins can download the audit log.' });
  }
  if (!(await countDownload(res, signedIn.user.id))) return;
  const query = auditQuery.safeParse(Object.fromEntries(queryOf(req)));
  if (!query.success) return sendJson(res, 422, { message: 'A filter is too long.' });
  const { about, person, from, to } = query.data;
  const request = {
    workspaceId: signedIn.workspace.id,
    filter: { topics: about, person: person?.trim(), from, to },
    limit: BATCH,
  };
  const newest = await listAuditEntries(sql(), request);
  res.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="audit-log.csv"',
    'Cache-Control': 'private, no-store',
  });
  // A failure closes the connection: a file that ends early must not look complete.
  await pipeline(Readable.from(rowsOf(request, newest)), res).catch((error: unknown) => {
    // The browser has gone.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

async function* rowsOf(
  request: Parameters<typeof listAuditEntries>[1],
  newest: HistoryPage<AuditEntryView>,
): AsyncGenerator<string> {
  yield csvHead(['time', 'by', 'kind', 'entry']);
  let page = newest;
  for (let left = ENTRIES_MAX; ; left -= page.items.length) {
    yield page.items
      .map(({ at, by, kind, sentence }) => csvRow([timestamp(at), by ?? '', kind, sentence]))
      .join('');
    if (page.older === null) return;
    if (left <= page.items.length) {
      yield csvRow(['', '', '', `There are older entries. A file has ${ENTRIES_MAX}: choose earlier dates.`]);
      return;
    }
    page = await listAuditEntries(sql(), { ...request, cursor: page.older });
  }
}
