import { sql } from '#server/core/database/sql.ts';
import { fileStore } from '#server/inbox/files/file-store.ts';
import type { StoreName } from '#server/inbox/files/file-store-type.ts';

/** Maximum number of files removed from each store in one run, and in one batch. The next run continues. */
const RUN_MAX = 1_000;
const BATCH = 100;
/** A transaction that links a file began less than this before. */
const LINKING_SECONDS = 60;

/**
 * Removes expired files that no message links: aborted or repeated uploads, and files of deleted messages. Safe to run
 * in parallel. A store that fails does not block the other store, and its failed batch comes after all others.
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
    const ids = await claimBatch(store);
    if (ids.length === 0) break;
    await removeBatch(store, ids);
    removed += ids.length;
  }
  return removed;
}

/**
 * Takes the files that expired first and moves them behind all others, for the case that the store fails. They stay expired, as the store
 * may have removed some of them. A file that is being linked is left out, and one that was taken can no longer be linked, also by a
 * transaction that began before it expired.
 */
async function claimBatch(store: StoreName): Promise<string[]> {
  const batch = await sql().$queryRaw<{ id: string }[]>`
    with chosen as materialized (
      select id from stored_files where store = ${store} and expires_at < now()
      order by expires_at limit ${BATCH}::int for no key update skip locked
    )
    update stored_files f set expires_at = now() - make_interval(secs => ${LINKING_SECONDS}::int)
    from chosen where f.id = chosen.id
    returning f.id`;
  return batch.map(({ id }) => id);
}

/** Removes the bytes before their row, so no bytes are orphaned. */
async function removeBatch(store: StoreName, ids: string[]): Promise<void> {
  await (await fileStore(store)).remove(ids);
  await sql().$executeRaw`delete from stored_files where id = any(${ids}::uuid[]) and expires_at is not null`;
}
