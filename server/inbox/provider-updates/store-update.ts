import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob, startMovingJobs } from '#server/core/jobs/outbox.ts';
import { REMOVED_AT_ONCE, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';

/**
 * Keeps what a provider sent, with the job that works it off, in one statement: once it is kept the provider may be
 * answered, whatever happens to this process. Sent again, it is kept once.
 * @param update.externalId the provider's id, one of a kind for the account
 * @returns whether it is new
 */
export async function keepUpdate(
  account: Pick<ConnectedAccount, 'id' | 'workspaceId' | 'channel'>,
  update: { externalId: string; body: Buffer; headers: Record<string, string> },
): Promise<boolean> {
  const queue = updatesQueue(account.id);
  const kept = await db().$queryRaw<unknown[]>`
    with kept as (
      insert into inbound_updates (id, workspace_id, account_id, channel, external_id, body, headers)
      values (gen_random_uuid(), ${account.workspaceId}::uuid, ${account.id}::uuid, ${account.channel}::channel,
        ${update.externalId}, ${update.body}, ${JSON.stringify(update.headers)}::jsonb)
      on conflict (account_id, external_id) do nothing
      returning account_id
    ), queued as (
      insert into job_outbox (task, payload, job_key, queue_name)
      select 'process-updates', json_build_object('accountId', account_id), ${queue}, ${queue} from kept
    )
    select 1 from kept`;
  if (kept.length === 0) return false;
  afterCommit(db(), startMovingJobs);
  return true;
}

/**
 * Works off once more what an account received and was given up. What arrived before arrives once.
 * @returns how many updates it is
 */
export async function replayUpdates({
  workspaceId,
  accountId,
}: {
  workspaceId: string;
  accountId: string;
}): Promise<number> {
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

/** How long what providers sent is kept, in days: so long it can be replayed. */
const KEPT_DAYS = 14;

/** Removes what providers sent long ago, in batches. Returns how many went. */
export function removeOldUpdates(): Promise<number> {
  return removeInBatches(`
    delete from inbound_updates where id in (
      select id from inbound_updates where received_at < now() - make_interval(days => ${KEPT_DAYS})
      order by received_at limit ${REMOVED_AT_ONCE} for update skip locked
    )`);
}

/** The queue in which the updates of an account are worked off, one after the other over all workers. */
export function updatesQueue(accountId: string): string {
  return `updates:${accountId}`;
}
