import { addAuditEntry } from '#server/connections/add-audit-entry.ts';
import { inTransaction } from '#server/db.ts';
import { invalid } from '#server/errors.ts';
import type { Teammate } from '#server/teammates/actor.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { readName } from '#server/teammates/read-name.ts';
import { requireManager } from '#server/teammates/require-role.ts';

/** Days after which solved conversations may be set to close by themselves. */
export const CLOSE_AFTER_DAYS_MAX = 365;

/** What is to change; undefined stays. `closeSolvedAfterDays` null: never. */
export type SettingsChanges = {
  name?: string | undefined;
  assignOnReply?: boolean | undefined;
  closeSolvedAfterDays?: number | null | undefined;
};

/**
 * Changes settings of a workspace, all or nothing, at the hand of an owner or admin.
 * @throws Refusal when `by` is neither, or a value is not possible
 */
export async function updateSettings(given: {
  workspaceId: string;
  changes: SettingsChanges;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, by } = given;
  const data = readChanges(given.changes);
  if (Object.keys(data).length === 0) return;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
    await tx.workspace.update({ where: { id: workspaceId }, data, select: { id: true } });
    const told = Object.fromEntries(
      Object.entries(data).map(([field, value]) => [field, String(value ?? 'never')]),
    );
    await addAuditEntry(tx, { workspaceId, kind: 'settings_changed', by, data: told });
  });
}

function readChanges({ name, assignOnReply, closeSolvedAfterDays: days }: SettingsChanges) {
  if (typeof days === 'number' && !(Number.isInteger(days) && days >= 1 && days <= CLOSE_AFTER_DAYS_MAX)) {
    const sentence = `Give a whole number of days from 1 to ${CLOSE_AFTER_DAYS_MAX}, or leave them open.`;
    throw invalid({ closeSolvedAfterDays: [sentence] });
  }
  return {
    ...(name === undefined
      ? {}
      : { name: readName(name, { field: 'name', label: 'name of the workspace' }) }),
    ...(assignOnReply === undefined ? {} : { assignOnReply }),
    ...(days === undefined ? {} : { closeSolvedAfterDays: days }),
  };
}
