import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { queueJob, startMovingJobs } from '#server/core/jobs/outbox.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';

/**
 * Time that the parts of an album wait for one another, in seconds. Telegram sends them within one second. A later part is
 * added to the message.
 */
export const ALBUM_WAIT_SECONDS = 2;

/**
 * Stores an update of a provider and queues its processing, in one statement. Respond to the provider only afterwards: a
 * stored update survives a crash. A repeated update is stored once. A part of an album is processed later, with the others.
 * @param update.externalId the provider's id, unique for the account
 * @param update.album the thread and the album that the update is a part of
 * @returns whether the update is new
 */
export async function storeUpdate(
  account: Pick<ConnectedAccount, 'id' | 'workspaceId' | 'channel'>,
  update: { externalId: string; album?: string | undefined; body: Buffer; headers: Record<string, string> },
): Promise<boolean> {
  const { album = null } = update;
  const queue = updatesQueue(account.id);
  const key = album === null ? queue : `${queue}:${album}`;
  const stored = await sql().$queryRaw<unknown[]>`
    with stored as (
      insert into inbound_updates (id, workspace_id, account_id, channel, external_id, album, body, headers)
      values (gen_random_uuid(), ${account.workspaceId}::uuid, ${account.id}::uuid, ${account.channel}::channel,
        ${update.externalId}, ${album}::text, ${update.body}, ${JSON.stringify(update.headers)}::jsonb)
      on conflict (account_id, external_id) do nothing
      returning account_id
    ), queued as (
      insert into job_outbox (task, payload, run_at, job_key, queue_name)
      select 'process-updates', json_build_object('accountId', account_id),
        case when ${album}::text is not null then clock_timestamp() + make_interval(secs => ${ALBUM_WAIT_SECONDS}) end,
        ${key}, ${queue}
      from stored
    )
    select 1 from stored`;
  if (stored.length === 0) return false;
  afterCommit(db(), startMovingJobs);
  return true;
}

/**
 * Queues all updates of an account again whose retries have failed. Messages that were stored before are not stored twice.
 * @returns the number of updates
 */
export async function replayUpdates(which: { workspaceId: string; accountId: string }): Promise<number> {
  const { workspaceId, accountId } = which;
  return inTransaction(async (tx) => {
    const { count } = await tx.inboundUpdate.updateMany({
      where: { workspaceId, accountId, processedAt: { not: null }, error: { not: null } },
      data: { processedAt: null, attempts: 0, error: null },
    });
    const queue = updatesQueue(accountId);
    if (count > 0) await queueJob(tx, 'process-updates', { accountId }, { key: queue, queue });
    return count;
  });
}

/** Retention of updates, in days. Failed updates can be replayed in that time. */
export const RETENTION_DAYS = 14;

/** Removes updates older than `RETENTION_DAYS`, in batches. Returns their number. */
export function removeOldUpdates(): Promise<number> {
  return removeInBatches(`
    delete from inbound_updates where id in (
      select id from inbound_updates where received_at < now() - make_interval(days => ${RETENTION_DAYS})
      order by received_at limit ${BATCH_ROWS} for update skip locked
    )`);
}

/** Returns the name of the job queue that processes the updates of an account one at a time, across all workers. */
export function updatesQueue(accountId: string): string {
  return `updates:${accountId}`;
}
