import { afterCommit, db } from '#server/core/database/db.ts';
import { startMovingJobs } from '#server/core/jobs/queue-job.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { updatesQueue } from '#server/inbox/provider-updates/updates-queue.ts';

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
      insert into queued_jobs (task, payload, job_key, queue_name)
      select 'process-updates', json_build_object('accountId', account_id), ${queue}, ${queue} from kept
    )
    select 1 from kept`;
  if (kept.length === 0) return false;
  afterCommit(db(), startMovingJobs);
  return true;
}
