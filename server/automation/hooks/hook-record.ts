import type { EventKey } from '#server/contract/event-catalogue.ts';
import type { HookRecord } from '#server/contract/hook-schema.ts';
import { timestamp } from '#server/core/timestamp.ts';
import type { Hook } from '#server/generated/prisma/client.ts';

/** The one serializer of hooks. */
export function hookRecord(hook: Hook & { event: EventKey }): HookRecord {
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
