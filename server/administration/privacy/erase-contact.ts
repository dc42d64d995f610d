import { beginErasure } from '#server/administration/privacy/begin-erasure.ts';
import { ERASE_SEARCHES } from '#server/administration/privacy/erase-searches.ts';
import {
  DELETE_CONVERSATIONS,
  ERASE_STATEMENTS,
  type EraseStatement,
} from '#server/administration/privacy/erase-statements.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { cleanUpPool, pool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

type Due = { id: string };

const FIND = `
  select contact_id as id from contact_erasures where due_at <= now() and contact_id > $2 order by contact_id limit $1`;

/** Time limit for one contact in ms; the next run continues. */
const TIME_LIMIT_MS = 10_000;

/**
 * Erases the contacts that are due, in batches (docs/privacy.md). The next run continues after the time limit, or after a crash.
 * @returns the number of erased contacts
 */
export function eraseDueContacts({
  timeLimitMs = TIME_LIMIT_MS,
  ...limits
}: Partial<RunLimits> & { timeLimitMs?: number } = {}): Promise<number> {
  return processDue<Due>('contact.not_erased', {
    find: async (limit, after) => (await pool().query<Due>(FIND, [limit, after])).rows,
    work: ({ id }) => eraseContact(id, timeLimitMs),
    ...limits,
  });
}

async function eraseContact(contactId: string, timeLimitMs: number): Promise<boolean> {
  const until = performance.now() + timeLimitMs;
  const holderId = await beginErasure(contactId);
  if (holderId === null) return false;
  const steps = [
    ...ERASE_STATEMENTS.map((statement) => () => eraseBatch(statement, holderId)),
    ...ERASE_SEARCHES.map((search) => async () => (await cleanUpPool().query(search, [holderId])).rowCount),
    () => eraseBatch(DELETE_CONVERSATIONS, holderId),
  ];
  for (const step of steps) {
    while (await step()) {
      if (performance.now() > until) return false;
    }
  }
  return finish(holderId);
}

/** Erases a batch and adds the number of its rows to the receipt, in one statement. Returns how many were found. */
async function eraseBatch({ counts, ctes }: EraseStatement, holderId: string): Promise<number> {
  const { rows } = await cleanUpPool().query<{ found: number }>(
    `with ${ctes}, counted as (
       update contact_erasures set counts = case when $2::text is null then counts else counts ||
         jsonb_build_object($2::text, coalesce((counts ->> $2::text)::int, 0) + (select count(*)::int from erased)) end
       where contact_id = $1 and exists (select from erased)
     )
     select count(*)::int as found from chosen`,
    [holderId, counts],
  );
  return rows[0]?.found ?? 0;
}

/** Deletes the holder, and with it the erasure and its addresses. The audit entry is the receipt: numbers, no personal data. */
async function finish(holderId: string): Promise<boolean> {
  return inTransaction(async (tx) => {
    const [erasure] = await tx.$queryRaw<Finished[]>`
      delete from contact_erasures where contact_id = ${holderId}::uuid
      returning workspace_id as "workspaceId", requested_by_id as "requestedById", requested_by_name as "requestedByName",
        requested_at as "requestedAt", counts`;
    // Another worker was faster.
    if (!erasure) return false;
    const { workspaceId, counts, requestedAt } = erasure;
    await tx.contact.delete({ where: { id: holderId }, select: { id: true } });
    const numbers = Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, String(count)]));
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'contact_erased',
      by: { id: erasure.requestedById, name: erasure.requestedByName },
      data: { ...numbers, requestedAt: requestedAt.toISOString() },
    });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    log().info({ workspaceId, ...numbers }, 'contact.erased');
    return true;
  });
}

type Finished = {
  workspaceId: string;
  requestedById: string;
  requestedByName: string;
  requestedAt: Date;
  counts: Record<string, number>;
};
