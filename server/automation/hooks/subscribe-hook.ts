import { v7 as uuidv7 } from 'uuid';
import { isPlatformHookUrl } from '#server/automation/hooks/is-platform-hook-url.ts';
import { CONNECTION_ENDED_MESSAGES } from '#server/contract/connection-messages.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import type { HookRecord } from '#server/contract/hook-schema.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import type { Planned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConnectionEnd, ConversationStatus } from '#server/generated/prisma/enums.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/** Maximum live hooks of one workspace (docs/spec.md §8). */
const LIVE_HOOKS_MAX = 500;

/** The filter that belongs to the hook's event; the other two are null. */
export type HookFilter = { status: ConversationStatus | null; tag: string | null; command: string | null };

/**
 * Subscribes a hook of a connection. Locks the workspace's row, so that concurrent calls never exceed the
 * limit, and no hook is added to a connection that ends in the meantime.
 * @throws Refusal when the target is not the platform's, the connection has ended, or the workspace has 500
 *     live hooks
 */
export async function subscribeHook(
  tx: SqlDb,
  subscription: {
    workspaceId: string;
    connectionId: string;
    event: EventKey;
    targetUrl: string;
    filter: HookFilter;
  },
): Promise<Planned<HookRecord>> {
  const { workspaceId, connectionId, event, targetUrl, filter } = subscription;
  const { HOOKS_HOST } = settings();
  if (!isPlatformHookUrl(targetUrl, HOOKS_HOST)) {
    throw invalid({
      target_url: [
        `The hook address (target_url) must begin with https://${HOOKS_HOST}/, without a port or a user name.`,
      ],
    });
  }
  await lockWorkspace(tx, workspaceId);
  const { endReason, live, now } = await readState(tx, { workspaceId, connectionId });
  if (endReason) throw new Refusal('connection_ended', CONNECTION_ENDED_MESSAGES[endReason]);
  if (live >= LIVE_HOOKS_MAX) {
    throw invalid({
      hooks: [`This workspace already has ${LIVE_HOOKS_MAX} live hooks. Turn off a workflow to make room.`],
    });
  }
  const record: HookRecord = {
    id: uuidv7(),
    event,
    target_url: targetUrl,
    command: filter.command,
    status: filter.status,
    tag: filter.tag,
    created_at: timestamp(now),
  };
  const subscribed = Prisma.sql`
    insert into hooks (id, workspace_id, connection_id, event, target_url, command, status, tag, filter_key)
    values (${record.id}::uuid, ${workspaceId}::uuid, ${connectionId}::uuid, ${event}::text, ${targetUrl}::text,
      ${filter.command}::text, ${filter.status}::conversation_status, ${filter.tag}::text, ${filterKey(filter)}::text)`;
  const tellPages = () => {
    publish(workspaceId, 'deliveries');
    if (event === 'operator.command') publish(workspaceId, 'commands');
  };
  return { result: record, parts: { subscribed }, after: [{ work: tellPages }] };
}

/** `now` is the time of the transaction, which the row of a new hook gets. */
type HookState = { endReason: ConnectionEnd | null; live: number; now: Date };

/**
 * Reads the connection's state and the workspace's number of live hooks in one round trip, as the row lock is
 * held.
 */
async function readState(
  tx: SqlDb,
  { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
): Promise<HookState> {
  const [found] = await tx.$queryRaw<HookState[]>`
    select c.end_reason as "endReason", now(),
      (select count(*)::int from hooks
        where workspace_id = ${workspaceId}::uuid and removed_at is null and connection_id is not null) as live
    from connections c where c.id = ${connectionId}::uuid`;
  if (!found) throw new Error('The subscribing connection does not exist.');
  return found;
}

/** Returns the value to compare events with, or null without a filter. Tags compare by `tagKey`. */
export function filterKey({ status, tag, command }: HookFilter): string | null {
  return status ?? command ?? (tag === null ? null : tagKey(tag));
}
