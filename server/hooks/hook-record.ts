import type { EventKey } from '#server/events/catalogue.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { timestamp } from '#server/timestamp.ts';

/** A hook in the shape of the contract (spec.md §2). */
export type HookRecord = {
  id: string;
  event: EventKey;
  target_url: string;
  command: string | null;
  status: ConversationStatus | null;
  tag: string | null;
  created_at: string;
};

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
