import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireOwner } from '#server/teammates/require-role.ts';

/**
 * Puts a workspace on another plan at the hand of an owner; the one it is on changes nothing. What is connected stays
 * also when the new plan has fewer slots; nothing new connects until one is free (decisions: OAuth, 2).
 * @throws Refusal unless `by` is an owner
 */
export async function changePlan(given: { workspaceId: string; plan: Plan; by: Teammate }): Promise<void> {
  const { workspaceId, plan, by } = given;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireOwner(tx, { workspaceId, userId: by.id });
    const where = { id: workspaceId };
    const { plan: from } = await tx.workspace.findUniqueOrThrow({ where, select: { plan: true } });
    if (from === plan) return;
    await tx.workspace.update({ where, data: { plan }, select: { id: true } });
    await addAuditEntry(tx, { workspaceId, kind: 'plan_changed', by, data: { from, to: plan } });
  });
}
