import { inTransaction } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
import { updatesQueue } from '#server/inbox/provider-updates/updates-queue.ts';

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
