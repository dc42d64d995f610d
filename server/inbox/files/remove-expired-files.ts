import { db } from '#server/core/database/prisma.ts';
import { fileStore } from '#server/inbox/files/file-store.ts';
import type { StoreName } from '#server/inbox/files/file-store-type.ts';

/** So many are removed in a run from each store, in batches: the rest can wait for the next minute. */
const RUN_MAX = 1_000;
const BATCH = 100;
/** When a store that failed is asked again, in milliseconds. */
const POSTPONED_MS = 600_000;

/**
 * Removes files that no message links: uploads that were broken off or sent twice, and those of messages that are
 * gone. May run again, and elsewhere at the same time. A store that fails does not
 * hold up the other; what it failed at waits ten minutes.
 * @returns how many went
 * @throws what the stores threw, once everything else is done
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
    const batch = await db().$queryRaw<{ id: string }[]>`
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

/** First the bytes, then the row that knows of them. What is expired can never be linked again. */
async function removeBatch(store: StoreName, ids: string[]): Promise<void> {
  try {
    await (await fileStore(store)).remove(ids);
  } catch (error) {
    const expiresAt = new Date(Date.now() + POSTPONED_MS);
    await db().storedFile.updateMany({ where: { id: { in: ids } }, data: { expiresAt } });
    throw error;
  }
  await db().$executeRaw`delete from stored_files where id = any(${ids}::uuid[]) and expires_at is not null`;
}
