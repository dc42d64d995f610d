import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from '#server/core/database/sql.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { refuseDownload } from '#server/http/files/send-attachment.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { auditQuery } from '#server/screens/audit/audit.ts';
import { listAuditEntries } from '#server/screens/audit/list-audit-entries.ts';
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
  const { allowed, retryAfterSeconds } = await consumeLimit('attachment', signedIn.user.id);
  if (!allowed) return refuseDownload(res, retryAfterSeconds);
  const query = auditQuery.safeParse(Object.fromEntries(queryOf(req)));
  if (!query.success) return sendJson(res, 422, { message: 'A filter is too long.' });
  const { about, person, from, to } = query.data;
  const request = {
    workspaceId: signedIn.workspace.id,
    filter: { topics: about, person: person?.trim(), from, to },
    limit: BATCH,
  };
  let page = await listAuditEntries(sql(), request);
  res.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="audit-log.csv"',
    'Cache-Control': 'private, no-store',
  });
  res.write(row(['time', 'by', 'kind', 'entry']));
  for (let sent = 0; ; ) {
    const text = page.items.map(({ at, by, kind, sentence }) =>
      row([timestamp(at), by ?? '', kind, sentence]),
    );
    // Waits until the receiver has read, or has gone.
    if (!res.write(text.join('')) && !res.destroyed)
      await Promise.race([once(res, 'drain'), once(res, 'close')]);
    sent += page.items.length;
    if (page.older === null || sent >= ENTRIES_MAX || res.destroyed) break;
    page = await listAuditEntries(sql(), { ...request, cursor: page.older });
  }
  res.end();
}

/** Returns a line. A text that a spreadsheet would take for a formula begins with an apostrophe. */
function row(texts: string[]): string {
  return `${texts.map((text) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`).join(',')}\r\n`;
}
