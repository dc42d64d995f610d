import { BATCH, changeInBatches } from '#server/administration/members/change-in-batches.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';

/** What refers to an account and may be much; the rest goes with its row. Names were kept where something was written. */
const STATEMENTS = [
  ...[
    ['messages', 'author_id'],
    ['notes', 'author_id'],
    ['command_runs', 'operator_id'],
  ].map(
    ([table, column]) => `
      update ${table} set ${column} = null
      where id in (select id from ${table} where ${column} = $1 limit ${BATCH})`,
  ),
  `delete from note_mentions where (note_id, user_id) in (
     select note_id, user_id from note_mentions where user_id = $1 limit ${BATCH})`,
];

/**
 * Removes what is left of a deleted account, the row at last. Goes on in another job when it takes long, and may run
 * again at any time. An account that was not deleted stays as it is.
 */
export async function removeAccount(userId: string): Promise<void> {
  const where = { id: userId, deletedAt: { not: null } };
  if ((await db().user.count({ where })) === 0) return;
  if (await changeInBatches(STATEMENTS, userId)) await db().user.deleteMany({ where });
  else await inTransaction((tx) => queueJob(tx, 'remove-account', { userId }));
}
