import { v7 as uuidv7 } from 'uuid';
import { wakeHooks } from '#server/automation/deliveries/drain/wake-hooks.ts';
import { afterCommit, db, inTransaction } from '#server/core/database/db.ts';
import { wakeWorkers } from '#server/core/jobs/wake-workers.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { PLATFORM } from '#test/service.ts';
import { until } from '#test/until.ts';

/** A hook of a connection, for `conversation.created` at the path `/hook` unless said otherwise. */
export function makeHook(
  connection: { id: string; workspaceId: string },
  given: Partial<Pick<Hook, 'event' | 'status' | 'tag' | 'command' | 'filterKey' | 'targetUrl'>> = {},
): Promise<Hook> {
  return db().hook.create({
    data: {
      workspaceId: connection.workspaceId,
      connectionId: connection.id,
      event: 'conversation.created',
      targetUrl: `https://${PLATFORM.hooksHost}/hook`,
      ...given,
    },
  });
}

/**
 * Makes events for a hook. A live hook gets them by fan-out, like any other that listens; for a removed one the
 * delivery is made here, as if it had been waiting.
 * @returns the events' ids
 */
export async function makeDeliveries(
  hook: Hook,
  count: number,
  filterValues: string[] = [],
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  await inTransaction(async (tx) => {
    await tx.event.createMany({
      data: ids.map((id) => ({
        id,
        workspaceId: hook.workspaceId,
        key: hook.event,
        body: JSON.stringify({ id, event: hook.event }),
        filterValues,
      })),
    });
    if (!hook.removedAt && (await tx.hook.count({ where: { id: hook.id, removedAt: null } })) === 1) {
      await tx.eventToFanOut.createMany({ data: ids.map((eventId) => ({ eventId })) });
      afterCommit(tx, wakeWorkers);
      return;
    }
    await tx.$executeRaw`
      insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
      select gen_random_uuid(), ${hook.workspaceId}::uuid, id::uuid, ${hook.id}::uuid, now()
      from unnest(${ids}::text[]) as id`;
    await wakeHooks(tx, [hook.id]);
  });
  return ids;
}

/** Waits until the one delivery of a hook has ended, and returns it with its attempts. */
export function endedDelivery(hookId: string) {
  return until('the delivery ended', async () => {
    const delivery = await db().delivery.findFirst({
      where: { hookId, endedAt: { not: null } },
      include: { attemptList: { orderBy: { number: 'asc' } } },
    });
    return delivery ?? undefined;
  });
}
