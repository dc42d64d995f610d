import { validate as isUuid } from 'uuid';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/db.ts';

/**
 * Unsubscribes a hook of the workspace, whichever of its connections made it. Idempotent: a hook that is gone,
 * another workspace's, or no id at all answers the same (spec.md §4.2, DELETE /hooks/{id}).
 */
export async function unsubscribeHook(which: {
  workspaceId: string;
  id: string;
}): Promise<{ id: string; deleted: true }> {
  if (isUuid(which.id)) await removeHooks(db(), which, 'unsubscribed');
  return { id: which.id, deleted: true };
}
