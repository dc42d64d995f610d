import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import type { Stage } from '#test/fixtures.ts';

/** Merges one conversation into another as this teammate. */
export function mergeAs({ workspaceId, teammate }: Stage, id: string, intoId: string): Promise<void> {
  return mergeConversations({ workspaceId, id, intoId, actor: { kind: 'teammate', teammate } });
}
