import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { fileStore } from '#server/inbox/files/file-store.ts';
import type { StoreName } from '#server/inbox/files/file-store-type.ts';

/** Maximum number of files removed from each store in one run, and in one batch. The next run continues. */
const RUN_MAX = 1_000;
const BATCH = 100;
/** Delay before the files of a failed batch are tried again, in ms. */
const POSTPONED_MS = 600_000;

/**
 * Removes expired files that no message links: aborted or repeated uploads, and files of deleted messages. Safe to run
 * in parallel. A store that fails does not block the other store; its failed batch is postponed by ten minutes.
 * @returns the number of removed files
 * @throws AggregateError with the errors of the stores, after both stores were processed
 */
export async function removeExpiredFiles(): Promise<number> {
  const runs = await Promise.allSettled([removeFrom('database'), removeFrom('s3')]);
  const faults = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []));
  if (faults.length > 0)
    throw new AggregateError(faults, 'Files that no message links could not be removed.');
  return runs.reduce((sum, run) => sum + (run.status === 'fulfilled' ? run.value : 0), 0);
}

async function removeFrom(store: StoreName): Promise<number> {
  let removed = 0;
  while (removed < RUN_MAX) {
    const batch = await sql().$queryRaw<{ id: string }[]>`
      select id from stored_files where store = ${store} and expires_at < now()
      order by expires_at limit ${BATCH}::int`;
    if (batch.length === 0) break;
    await removeBatch(
      store,
      batch.map(({ id }) => id),
    );
    removed += batch.length;
  }
  return removed;
}

/** Removes the bytes before their row, so no bytes are orphaned. An expired file can no longer be linked. */
async function removeBatch(store: StoreName, ids: string[]): Promise<void> {
  try {
    await (await fileStore(store)).remove(ids);
  } catch (error) {
    const expiresAt = new Date(Date.now() + POSTPONED_MS);
    await db().storedFile.updateMany({ where: { id: { in: ids } }, data: { expiresAt } });
    throw error;
  }
  await sql().$executeRaw`delete from stored_files where id = any(${ids}::uuid[]) and expires_at is not null`;
}
