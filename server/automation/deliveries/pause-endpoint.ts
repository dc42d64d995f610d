import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
import { timestampOrNull } from '#server/core/timestamp.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

/** An endpoint is paused when attempts still fail this long after the first failure, in days. */
export const PAUSED_AFTER_DAYS = 5;
/** Owners and admins are warned this long after the first failure, in days. */
export const WARNED_AFTER_DAYS = 2;

type Failing = { id: string; workspaceId: string; targetUrl: string; failingSince: Date };

/**
 * Pauses an endpoint and notifies owners and admins. Its worker cancels what was not delivered; once it is enabled again, it can
 * be replayed. Does nothing if it is disabled or paused already.
 * @param reason `gone`: it responded with 410
 */
export async function pauseEndpoint(
  tx: Tx,
  {
    workspaceId,
    id,
    reason,
    now,
  }: { workspaceId: string; id: string; reason: 'failing' | 'gone'; now: Date },
): Promise<void> {
  if ((await removeHooks(tx, { workspaceId, id }, reason)) === 0) return;
  const found = await tx.webhookEndpoint.findUnique({
    where: { id },
    select: { failingSince: true, hook: { select: { targetUrl: true } } },
  });
  if (!found) return;
  const data = {
    endpointId: id,
    url: found.hook.targetUrl,
    reason,
    since: timestampOrNull(found.failingSince),
  };
  await notifyManagers(tx, { workspaceId, content: { kind: 'webhook_paused', data }, now });
}

/**
 * Warns about endpoints that have failed for two days, and pauses those that have failed for five. Counts from the first
 * failure to the last one, so an endpoint without events is left alone. A delivered event starts the count again, and so does a
 * failure after two days without one (`record-attempts.ts`).
 * @returns the number of endpoints
 */
export async function watchFailingEndpoints(): Promise<number> {
  return processDue('webhook.not_watched', {
    find: (limit, after) => sql().$queryRaw<Failing[]>`
      select w.id, w.workspace_id as "workspaceId", h.target_url as "targetUrl", w.failing_since as "failingSince"
      from webhook_endpoints w join hooks h on h.id = w.id and h.removed_at is null
      where w.failing_since < now() - make_interval(days => ${WARNED_AFTER_DAYS}::int) and w.id > ${after}::uuid
        and w.last_failed_at - w.failing_since >=
          make_interval(days => case when w.warned_at is null then ${WARNED_AFTER_DAYS}::int else ${PAUSED_AFTER_DAYS}::int end)
      order by w.id limit ${limit}::int`,
    work: ({ id }) => inTransaction((tx) => watch(tx, id)),
  });
}

/** Locks the hook before the endpoint, as `record-attempts.ts` does. @returns whether anything was done */
async function watch(tx: Tx, id: string): Promise<boolean> {
  const now = new Date();
  await tx.$executeRaw`select from hooks where id = ${id}::uuid for no key update`;
  const found = await tx.webhookEndpoint.findUnique({
    where: { id, hook: { removedAt: null } },
    select: {
      workspaceId: true,
      failingSince: true,
      lastFailedAt: true,
      warnedAt: true,
      hook: { select: { targetUrl: true } },
    },
  });
  if (!found?.failingSince || !found.lastFailedAt) return false;
  const { workspaceId, failingSince, lastFailedAt, warnedAt, hook } = found;
  const days = (lastFailedAt.getTime() - failingSince.getTime()) / DAY_MS;
  if (warnedAt === null && days >= WARNED_AFTER_DAYS) {
    await tx.webhookEndpoint.update({ where: { id }, data: { warnedAt: now }, select: { id: true } });
    const data = { endpointId: id, url: hook.targetUrl, since: timestampOrNull(failingSince) };
    await notifyManagers(tx, { workspaceId, content: { kind: 'webhook_failing', data }, now });
    return true;
  }
  if (warnedAt === null || days < PAUSED_AFTER_DAYS) return false;
  await pauseEndpoint(tx, { workspaceId, id, reason: 'failing', now });
  return true;
}

const DAY_MS = 86_400_000;
