import { sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Conversations per transaction, and the time after which the rest is left to another job, in ms. */
const BATCH_ROWS = 50;
const BUDGET_MS = 10_000;

/**
 * Computes the searched words of a workspace's saved replies, subjects, messages and notes again where they differ: after the
 * workspace chose another language, and for rows that are older than the search by stems. Until then these are found by their
 * exact words.
 * @param after the last conversation of the job before
 */
export async function updateSearch({
  workspaceId,
  after,
}: {
  workspaceId: string;
  after?: string | undefined;
}): Promise<void> {
  const stopAt = performance.now() + BUDGET_MS;
  if (after === undefined) await updateSavedReplies(workspaceId);
  let last: string | null = after ?? '00000000-0000-0000-0000-000000000000';
  while (last !== null) {
    const isLate = performance.now() >= stopAt;
    last = await updateBatch({ workspaceId, after: last, isLate });
    if (isLate) return;
  }
}

/** There are few saved replies, at most 500 and 100 per teammate. */
async function updateSavedReplies(workspaceId: string): Promise<void> {
  const words = Prisma.sql`searchable_text(s.workspace_id, w.search_language, concat_ws(' ', s.name, s.folder, s.content))`;
  await sql().$executeRaw(Prisma.sql`
    update saved_replies s set search = ${words} from workspaces w
    where w.id = ${workspaceId}::uuid and s.workspace_id = w.id and s.search is distinct from ${words}`);
}

/** Updates a batch and returns its last conversation, or null after the last one. `isLate`: queues a job for the rest. */
async function updateBatch(range: {
  workspaceId: string;
  after: string;
  isLate: boolean;
}): Promise<string | null> {
  const { workspaceId, after, isLate } = range;
  return sqlTransaction(async (tx) => {
    const [batch] = await tx.$queryRaw<{ language: string; ids: string[] }[]>`
      select search_language as language, array(
        select id from conversations where workspace_id = ${workspaceId}::uuid and id > ${after}::uuid
        order by id limit ${BATCH_ROWS}::int for no key update) as ids
      from workspaces where id = ${workspaceId}::uuid and deleted_at is null`;
    const last = batch?.ids.at(-1);
    if (!batch || last === undefined) return null;
    const { language, ids } = batch;
    const words = (text: Prisma.Sql) => Prisma.sql`searchable_text(workspace_id, ${language}::text, ${text})`;
    const subject = words(Prisma.sql`subject`);
    await tx.$executeRaw`
      update conversations set search = ${subject}
      where id = any (${ids}::uuid[]) and subject is not null and search is distinct from ${subject}`;
    for (const [table, length] of [
      ['messages', 8_000],
      ['notes', 10_000],
    ] as const) {
      const content = words(Prisma.sql`left(content, ${length}::int)`);
      await tx.$executeRaw(Prisma.sql`
        update ${Prisma.raw(table)} set search = ${content}
        where conversation_id = any (${ids}::uuid[]) and search is distinct from ${content}`);
    }
    if (isLate) await queueJob(tx, 'update-search', { workspaceId, after: last }, { queue: 'update-search' });
    return last;
  });
}
