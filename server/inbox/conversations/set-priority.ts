import type { Priority } from '#server/generated/prisma/enums.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';

/** Sets the priority of a conversation; the one it already has changes nothing. */
export function setPriority({ priority: from }: Pick<LockedConversation, 'priority'>, to: Priority): Change {
  if (from === to) return changeOf();
  return changeOf({
    columns: { priority: to },
    entries: [{ kind: 'priority_changed', data: { from, to } }],
  });
}
