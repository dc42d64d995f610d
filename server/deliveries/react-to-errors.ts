import type { Tx } from '#server/db.ts';
import { removeHooks } from '#server/hooks/remove-hooks.ts';

/** Deliveries in a row that end undelivered after an error status until their hook is removed (spec.md §3). */
export const CONSECUTIVE_ERRORS_MAX = 50;

/** At so many errors in a row the workspace's owners and admins are told, before the hook is removed. */
const WARNED_AT: readonly number[] = [25, 40];

/** The numbers of errors in a row at which more happens than counting. */
export const ERROR_MILESTONES: readonly number[] = [...WARNED_AT, CONSECUTIVE_ERRORS_MAX];

/**
 * What follows the errors of a hook, in the transaction that counted the last of them: at 410 and at the fiftieth
 * in a row the hook is removed (spec.md §3). Each number is reached once, as the hook's row is locked.
 * @param errors how many there are in a row now; null when this one did not count
 */
export async function reactToErrors(
  tx: Tx,
  { hook_id: id, workspace_id: workspaceId }: { hook_id: string; workspace_id: string },
  { gone, errors }: { gone: boolean; errors: number | null },
): Promise<void> {
  if (gone) await removeHooks(tx, { workspaceId, id }, 'gone');
  else if (errors !== null && errors >= CONSECUTIVE_ERRORS_MAX)
    await removeHooks(tx, { workspaceId, id }, 'failing');
}
