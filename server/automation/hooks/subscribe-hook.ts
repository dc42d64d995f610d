import { isPlatformHookUrl } from '#server/automation/hooks/is-platform-hook-url.ts';
import { CONNECTION_ENDED_MESSAGES } from '#server/contract/connection-messages.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import type { HookRecord } from '#server/contract/hook-schema.ts';
import { tagKey } from '#server/contract/tag-list.ts';
import { afterCommit, inTransaction, type Tx } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { storeResponse } from '#server/core/idempotency.ts';
import { publish } from '#server/core/live/publish.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import type { ConnectionEnd, ConversationStatus } from '#server/generated/prisma/enums.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/** Live hooks that one workspace may hold (spec.md §8). */
const LIVE_HOOKS_MAX = 500;

/** The filter that fits the hook's event; the other two are null. */
export type HookFilter = { status: ConversationStatus | null; tag: string | null; command: string | null };

/**
 * Subscribes a hook of a connection. The workspace's row is locked while its hooks are counted, so that any
 * number of calls at once never exceed the limit and no hook slips into a connection that ends meanwhile.
 * @throws Refusal when the target is not the platform's or the workspace holds 500 live hooks
 */
export async function subscribeHook({
  workspaceId,
  connectionId,
  event,
  targetUrl,
  filter,
}: {
  workspaceId: string;
  connectionId: string;
  event: EventKey;
  targetUrl: string;
  filter: HookFilter;
}): Promise<HookRecord> {
  const { HOOKS_HOST } = settings();
  if (!isPlatformHookUrl(targetUrl, HOOKS_HOST)) {
    throw invalid({
      target_url: [
        `The hook address (target_url) must begin with https://${HOOKS_HOST}/, without a port or a user name.`,
      ],
    });
  }
  return inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { endReason, live } = await lookAround(tx, { workspaceId, connectionId });
    if (endReason) throw new Refusal('connection_ended', CONNECTION_ENDED_MESSAGES[endReason]);
    if (live >= LIVE_HOOKS_MAX) {
      throw invalid({
        hooks: [`This workspace already has ${LIVE_HOOKS_MAX} live hooks. Turn off a workflow to make room.`],
      });
    }
    const hook = await tx.hook.create({
      data: { workspaceId, connectionId, event, targetUrl, ...filter, filterKey: filterKey(filter) },
    });
    afterCommit(tx, () => {
      publish(workspaceId, 'deliveries');
      if (event === 'operator.command') publish(workspaceId, 'commands');
    });
    const record = hookRecord({ ...hook, event });
    await storeResponse(tx, record);
    return record;
  });
}

/** The connection's state and how many live hooks its workspace has; one round trip, as others wait meanwhile. */
async function lookAround(
  tx: Tx,
  { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
): Promise<{ endReason: ConnectionEnd | null; live: number }> {
  const [found] = await tx.$queryRaw<{ endReason: ConnectionEnd | null; live: number }[]>`
    select c.end_reason as "endReason",
      (select count(*)::int from hooks where workspace_id = ${workspaceId}::uuid and removed_at is null) as live
    from connections c where c.id = ${connectionId}::uuid`;
  if (!found) throw new Error('The connection that subscribes is not there.');
  return found;
}

/** The one serializer of hooks. */
function hookRecord(hook: Hook & { event: EventKey }): HookRecord {
  return {
    id: hook.id,
    event: hook.event,
    target_url: hook.targetUrl,
    command: hook.command,
    status: hook.status,
    tag: hook.tag,
    created_at: timestamp(hook.createdAt),
  };
}

/** The one filter that may be set, as events are compared with it: a tag by its key. Null lets all through. */
export function filterKey({ status, tag, command }: HookFilter): string | null {
  return status ?? command ?? (tag === null ? null : tagKey(tag));
}
